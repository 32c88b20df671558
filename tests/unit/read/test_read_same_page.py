"""Links to the same page are equal; links to different pages are not."""

import pytest

from readdo.read.item_rows import page_of

PAGE = "https://example.org/a"
SAME = [
    (PAGE, "https://EXAMPLE.org/a"),
    (PAGE, "HTTPS://example.org/a"),
    (PAGE, "https://example.org:443/a"),
    (PAGE, "https://example.org:/a"),
    (PAGE, "https://example.org./a"),
    (PAGE, "https://example.org/a/"),
    (PAGE, "https://example.org/a#part-2"),
    (PAGE, "https://example.org/a#:~:text=leases"),
    (PAGE, "https://example.org/a?"),
    (PAGE, "https://example.org/a?utm_source=x&utm_medium=mail"),
    (PAGE, "https://example.org/a?UTM_Source=x"),
    (PAGE, "https://example.org/a?fbclid=1&gclid=2&dclid=3&msclkid=4&twclid=5"),
    (PAGE, "https://example.org/a/?&&#top"),
    ("http://example.org", "http://example.org:80/"),
    ("https://example.org/a?id=7", "https://example.org/a?utm_source=x&id=7&spm=1.2"),
    ("https://[2001:db8::1]/a", "https://[2001:DB8::1]:443/a/"),
    ("https://例子.测试/文章", "https://例子.测试:443/文章/#评论"),
    (
        "https://mp.weixin.qq.com/s?__biz=a&mid=1&idx=1&sn=b",
        "https://mp.weixin.qq.com/s?__biz=a&mid=1&idx=1&sn=b&chksm=c&scene=21#wechat_redirect",
    ),
    ("https://zhuanlan.zhihu.com/p/1", "https://zhuanlan.zhihu.com/p/1?share_source=wechat&utm_psn=2"),
    ("https://www.bilibili.com/video/BV1", "https://www.bilibili.com/video/BV1/?spm_id_from=333&vd_source=abc"),
]
ANOTHER = [
    (PAGE, "http://example.org/a"),
    (PAGE, "https://example.org:8443/a"),
    (PAGE, "https://www.example.org/a"),
    (PAGE, "https://example.org/A"),
    (PAGE, "https://example.org/a/b"),
    (PAGE, "https://example.org/a?id=7"),
    (PAGE, "https://example.org/a?utm=x"),
    (PAGE, "https://example.org/a?my_utm_source=x"),
    (PAGE, "https://example.org/#/a"),
    ("https://example.org/#/a", "https://example.org/#/b"),
    ("https://example.org/#!a", "https://example.org/#!b"),
    ("https://example.org/a?id=7", "https://example.org/a?id=8"),
    ("https://example.org/a?q=a%26b", "https://example.org/a?q=a&b"),
    ("https://mp.weixin.qq.com/s?__biz=a&mid=1&idx=1&sn=b", "https://mp.weixin.qq.com/s?__biz=a&mid=1&idx=2&sn=b"),
    ("https://mp.weixin.qq.com/s?token=1", "https://mp.weixin.qq.com/s?token=2"),
    ("https://example.org/文章", "https://example.org/文"),
    ("https://example.org:99999/a", "https://example.org/a"),
    ("https://example.org:x/a", "https://example.org/a"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_links_to_the_same_page_are_equal(one: str, other: str) -> None:
    assert page_of(one) == page_of(other)


@pytest.mark.parametrize(("one", "other"), ANOTHER)
def test_links_to_different_pages_differ(one: str, other: str) -> None:
    assert page_of(one) != page_of(other)


@pytest.mark.parametrize("url", [link for pair in (*SAME, *ANOTHER) for link in pair])
def test_page_of_is_idempotent(url: str) -> None:
    assert page_of(page_of(url)) == page_of(url)
