"""Page templates in several styles of markup, with navigation, banners and footers."""
# ruff: noqa: E501 (markup is not prose)

_EN_NAV = "".join(
    f'<li><a href="/{w.lower()}">{w}</a></li>' for w in ("News", "Opinion", "Science", "Culture", "Sport")
)
_ZH_NAV = "".join(
    f'<li><a href="/{n}/">{w}</a></li>' for n, w in enumerate(("首页", "新闻", "科技", "生活", "观点", "视频"))
)
_JA_NAV = "".join(
    f'<li><a href="/{n}/">{w}</a></li>' for n, w in enumerate(("ホーム", "ニュース", "暮らし", "経済", "動画"))
)
_TRACKER = (
    "<script>window.dataLayer=window.dataLayer||[];function t(){dataLayer.push(arguments)}t('js',new Date());</script>"
)
BANNER = (
    '<div class="cookie-banner" role="dialog"><p>We use cookies to improve your experience. By clicking Accept all you '
    "agree to our cookie policy.</p><button>Accept all</button><button>Reject all</button></div>"
)
BANNER_ZH = (
    '<div id="cookie-consent"><p>本网站使用 Cookie 以改善您的浏览体验，继续浏览即表示您同意我们的隐私政策。</p>'
    "<button>全部接受</button><button>拒绝</button></div>"
)
LETTER = (
    '<div class="newsletter"><h3>Get our newsletter</h3><p>Sign up for the best of the week in your inbox.</p>'
    '<form action="/letter"><input type="email" name="e"><input type="submit" value="Subscribe"></form></div>'
)
NOSCRIPT = "<noscript><p>Please enable JavaScript to view the comments.</p></noscript>"


def bare(title: str, body: str, head: str = "") -> str:
    """Page without a site around it, as a server's error page."""
    return f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title>{head}</head><body>{body}</body></html>'


def site(title: str, body: str, head: str = "", more: str = "") -> str:
    """Page of a newspaper with header, footer and sidebars."""
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} | The Harbour Post</title>{head}'
        f'{_TRACKER}<link rel="stylesheet" href="/a.css"></head><body class="page"><header><a href="/">The Harbour Post</a>'
        f'<nav><ul>{_EN_NAV}</ul></nav><a href="/login">Sign in</a> <a href="/subscribe">Subscribe</a></header>'
        f"<main>{body}</main>{more}<footer><ul>{_EN_NAV}</ul><p>© 2026 The Harbour Post. All rights reserved. "
        '<a href="/privacy">Privacy policy</a> <a href="/terms">Terms</a></p></footer></body></html>'
    )


def divs(title: str, body: str, head: str = "", more: str = "") -> str:
    """Page of a page builder: only divs, with meaningless class names."""
    links = "".join(
        f'<div class="i"><a href="/p/{n}">{w}</a></div>' for n, w in enumerate(("Home", "Blog", "Shop", "Help"))
    )
    return (
        f'<html><head><title>{title} - Fernwood</title><meta name="viewport" content="width=device-width">{head}</head>'
        f'<body><div class="w"><div class="top"><div class="logo">Fernwood</div>{links}</div><div class="c"><div class="in">'
        f'{body}</div></div>{more}<div class="btm"><div>Fernwood Ltd, 12 Mill Lane</div>{links}</div></div>'
        '<script src="/static/all.min.js" async></script></body></html>'
    )


def zh(title: str, body: str, head: str = "", more: str = "") -> str:
    """Page of a Chinese portal."""
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}_海潮网</title>{head}{_TRACKER}</head><body>'
        f'<div class="header"><a href="/" class="logo">海潮网</a><ul class="nav">{_ZH_NAV}</ul><div class="user">'
        f'<a href="/login">登录</a> <a href="/reg">注册</a></div></div><div class="main">{body}</div>{more}'
        '<div class="footer"><a href="/about">关于我们</a> <a href="/contact">联系我们</a> <a href="/law">法律声明</a>'
        "<p>版权所有 海潮网 京ICP备00000000号</p></div></body></html>"
    )


def zh_bare(title: str, body: str, head: str = "") -> str:
    return (
        f'<html lang="zh-CN"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">{head}</head><body>{body}</body></html>'
    )


def ja(title: str, body: str, head: str = "", more: str = "") -> str:
    """Page of a Japanese newspaper."""
    return (
        f'<!DOCTYPE html><html lang="ja"><head><meta charset="utf-8"><title>{title}｜みなと新聞</title>{head}</head><body>'
        f'<header><a href="/">みなと新聞</a><nav><ul>{_JA_NAV}</ul></nav></header><main>{body}</main>{more}'
        '<footer><a href="/policy">プライバシーポリシー</a> <a href="/company">会社概要</a><p>© みなと新聞社</p></footer></body></html>'
    )


def paragraphs(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def article(heading: str, *texts: str) -> str:
    return f"<article><h1>{heading}</h1>{paragraphs(*texts)}</article>"
