"""Notices in front of a text (age check, app, waiting room), and real pages that mention such notices."""
# ruff: noqa: E501 (each page is one line)

from unit.extract.pages.frames import bare

REFUSED = [
    (
        "notice age check",
        "notice",
        bare(
            "Age check",
            "<main><h1>Age verification</h1><p>You must be 21 or older to enter this site.</p><p>Enter your date of birth to continue.</p><button>I am over 21</button><button>Leave</button></main>",
        ),
    ),
    (
        "notice unsupported",
        "notice",
        bare(
            "Unsupported",
            "<main><h1>Your browser is not supported</h1><p>Please upgrade your browser to continue. We recommend the latest version of these browsers.</p></main>",
        ),
    ),
    (
        "notice queue",
        "notice",
        bare(
            "Queue",
            "<main><h1>You are now in line</h1><p>When it is your turn, you will have ten minutes to enter the website. Keep this page open.</p></main>",
        ),
    ),
    (
        "notice ads",
        "notice",
        bare(
            "Ads",
            "<main><h1>Ad blocker detected</h1><p>Please disable your ad blocker and reload the page, or continue without supporting us.</p></main>",
        ),
    ),
    (
        "notice leaving",
        "notice",
        bare(
            "Leaving",
            "<main><p>You are leaving our site. We are not responsible for the content of external pages. Continue to the page below?</p></main>",
        ),
    ),
    (
        "notice access",
        "notice",
        bare(
            "Access",
            "<main><h1>You need access</h1><p>Request access, or switch to an account with access. The owner will get an email.</p></main>",
        ),
    ),
    (
        "notice 年龄",
        "notice",
        bare(
            "年龄",
            "<main><p>您是否已满十八岁？本站仅限成年人浏览，未满18岁请离开此页，点击我已成年继续访问本站的内容。</p></main>",
        ),
    ),
    (
        "notice 排队",
        "notice",
        bare(
            "排队",
            "<main><p>您正在排队中，前面还有三百二十一人，预计等待十二分钟，请勿刷新或关闭页面，轮到您时会自动进入，感谢您的耐心等待。</p></main>",
        ),
    ),
    (
        "notice 微信",
        "notice",
        bare(
            "微信",
            "<main><p>请在微信客户端打开链接</p><p>该页面只能在微信中浏览，请复制链接后发送给文件传输助手，再点击打开即可，谢谢您的理解与配合。</p></main>",
        ),
    ),
    (
        "notice 离开",
        "notice",
        bare(
            "离开",
            "<main><p>您即将离开本站，前往外部链接，请注意账号与财产安全。该网站的安全性未知，是否继续访问？继续访问请点击下面的按钮，谢谢。</p></main>",
        ),
    ),
    (
        "notice 加密",
        "notice",
        bare(
            "加密",
            "<main><p>该文章已加密，请输入密码后查看。</p><form><input type=password name=p></form><p>如果忘记了密码，请联系分享者重新获取，谢谢您的理解与支持，祝您阅读愉快。</p></main>",
        ),
    ),
]
PASSED = [
    (
        "about why we dropped old browsers",
        bare(
            "Why we dropped old browsers",
            "<main><h1>Why we dropped old browsers</h1><p>Last spring a third of our bugs came from one browser that two users in a thousand still had. We counted the hours, and then we let it go. The letters of complaint fit on one page.</p><p>Last spring a third of our bugs came from one browser that two users in a thousand still had. We counted the hours, and then we let it go. The letters of complaint fit on one page.</p><p>Last spring a third of our bugs came from one browser that two users in a thousand still had. We counted the hours, and then we let it go. The letters of complaint fit on one page.</p><p>Last spring a third of our bugs came from one browser that two users in a thousand still had. We counted the hours, and then we let it go. The letters of complaint fit on one page.</p></main>",
        ),
    ),
    (
        "about queues at the museum",
        bare(
            "Queues at the museum",
            "<main><p>The museum lets in four hundred people an hour. You are now in line, says the sign at noon, and the line is two hours long. We went on a rainy Tuesday instead and had the rooms to ourselves, which is what I would tell anyone to do.</p><p>The museum lets in four hundred people an hour. You are now in line, says the sign at noon, and the line is two hours long. We went on a rainy Tuesday instead and had the rooms to ourselves, which is what I would tell anyone to do.</p></main>",
        ),
    ),
    (
        "about 关于广告拦截",
        bare(
            "关于广告拦截",
            "<main><p>我们做了三个月的实验：检测到广告拦截后不再弹窗，而是放一行小字，说明这篇文章花了多少钱。结果关掉拦截的人多了一倍，投诉少了九成。读者并不讨厌广告，讨厌的是被打断。</p><p>我们做了三个月的实验：检测到广告拦截后不再弹窗，而是放一行小字，说明这篇文章花了多少钱。结果关掉拦截的人多了一倍，投诉少了九成。读者并不讨厌广告，讨厌的是被打断。</p><p>我们做了三个月的实验：检测到广告拦截后不再弹窗，而是放一行小字，说明这篇文章花了多少钱。结果关掉拦截的人多了一倍，投诉少了九成。读者并不讨厌广告，讨厌的是被打断。</p></main>",
        ),
    ),
]
