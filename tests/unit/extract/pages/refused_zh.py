"""Chinese and Japanese pages without an article: name, kind, page."""
# ruff: noqa: E501 (each page is one line)

from unit.extract.pages.frames import bare, ja, zh, zh_bare

_APP = '<script src="/js/chunk-vendors.7a1.js"></script><script src="/js/app.33f.js"></script>'
_LIST = "".join(f'<li><a href="/a/{n}.html">{w}</a><span>05-{n + 10}</span></li>' for n, w in enumerate((
    "海边小城新开了一家旧书店", "三条公交线路下月起调整", "老面馆的第四代传人", "今年第一场台风或将登陆", "小学生用瓶子造了一条船",
    "图书馆恢复周日开放", "钟楼为什么总是慢五分钟", "旧影院将改造成菜市场", "房租三年来首次下降", "适合周末走的五条步道",
    "渔民希望减少捕捞配额", "没有指挥的乐团",
)))  # fmt: skip
_TEASERS = "".join(
    f'<div class="item"><h3><a href="/p/{n}">{h}</a></h3><p>{t}</p><span>2026-03-0{n + 1}</span> <a href="/p/{n}">阅读全文</a></div>'
    for n, (h, t) in enumerate((
        ("如何磨一把凿子", "钝的凿子才是危险的。这一篇讲磨石、角度，以及为什么……"), ("橡木该用什么胶", "有些胶会让橡木变黑，我们试了六种……"),
        ("一个周末做条长凳", "四块板和一把锯就够了，剩下的是耐心……"), ("在家里晾木头", "新木头要动一整年，我们是这样码放的……"),
        ("最后一把手工刨", "工厂五月关门，我们去见了最后那批师傅……"),
    ))
)  # fmt: skip

CHINESE = [
    ("vue shell", "script_shell", zh_bare("数据平台", f"<noscript><strong>很抱歉，如果没有启用 JavaScript，本平台无法正常工作，请启用JavaScript后继续。</strong></noscript><div id=app></div>{_APP}")),
    ("loading", "script_shell", zh_bare("文章详情", f'<div id="app"><div class="loading">正在加载，请稍候…</div></div>{_APP}')),
    ("script is off", "script_shell", zh("提示", "<p>您的浏览器未启用JavaScript，请启用JavaScript后刷新页面。</p>")),
    ("wechat check", "bot_check", zh_bare("环境异常", '<div class="weui-msg"><h2 class="weui-msg__title">环境异常</h2><p>当前环境异常，完成验证后即可继续访问。</p><a class="weui-btn" href="javascript:;">去验证</a></div><script>var cgiData={}</script>')),
    ("wechat check without a title", "bot_check", zh_bare("", '<div class="weui-msg"><p>当前环境异常，完成验证后即可继续访问。</p><a id="js_verify">去验证</a></div><script src="https://t.captcha.example/TCaptcha.js"></script>')),
    ("slide", "bot_check", zh_bare("安全验证", '<div class="box"><h3>安全验证</h3><p>为了您的账号安全，请完成以下验证</p><div id="nc">请按住滑块，拖动到最右边</div></div><script src="//g.example/geetest.js"></script>')),
    ("too often", "bot_check", zh_bare("访问过于频繁", "<h1>访问过于频繁，请稍后再试</h1><p>您的访问过于频繁，系统检测到您的网络存在异常。</p><p>请输入验证码后继续访问：</p><input><button>提交</button>")),
    ("firewall", "bot_check", zh_bare("405", "<div><h2>很抱歉，由于您访问的URL有可能对网站造成安全威胁，您的访问被阻断。</h2><p>您的请求ID是：76b20f4616000000</p><p>如有疑问，请联系网站管理员。</p></div>")),
    ("checking", "bot_check", zh_bare("请稍候…", "<h2>正在检查您的浏览器</h2><p>请完成以下验证，确认您是真人。本过程自动进行，完成后将自动跳转。</p>")),
    ("no right", "bot_check", zh("403 禁止访问", "<h1>403</h1><p>抱歉，您没有权限访问该页面，您的IP已被限制。</p>")),
    ("cookies", "consent", zh_bare("欢迎", "<div class=m><h2>我们重视您的隐私</h2><p>我们和我们的合作伙伴使用 Cookie 来存储和访问设备上的信息，用于个性化广告和内容、效果衡量以及受众研究。</p><p>您可以随时在 Cookie 设置中更改您的偏好，或撤回同意。</p><button>全部接受</button><button>拒绝</button><button>管理偏好</button></div>")),
    ("cookies of a firm", "consent", zh("Cookie 设置", "<h1>Cookie 设置</h1><p>本网站使用Cookie以改善您的浏览体验。继续使用本网站即表示您同意我们使用Cookie。必要Cookie不能关闭，分析Cookie帮助我们了解您如何使用本站。</p><button>接受所有Cookie</button>")),
    ("login to read", "login", zh("用户登录", '<div><p>登录后查看全文</p><form><input placeholder="手机号"><input type="password"><button>登录</button></form><a href="/f">忘记密码</a><a href="/r">立即注册</a></div>')),
    ("login by code", "login", zh_bare("登录", '<h1>扫码登录</h1><p>请先登录后继续访问。未注册的手机号验证后将自动创建账号。</p><label>手机号</label><input><label>获取验证码</label><input type="password"><p>登录即表示同意用户协议和隐私政策</p>')),
    ("forum needs login", "login", zh("提示信息", '<div id="messagetext"><p>抱歉，您尚未登录，没有权限访问该版块</p><p>您需要登录后才能查看本帖内容</p></div><form><label>用户名</label><input><label>密码</label><input type="password"><label>自动登录</label><button>登录</button></form>')),
    ("expired", "login", zh_bare("统一身份认证", '<p>登录已过期，请重新登录您的账号。</p><form><input><input type="password"><input type="submit" value="登录"></form>')),
    ("paid column", "paywall", zh("一场没有赢家的并购", '<h1>一场没有赢家的并购</h1><p>电话是在周日深夜打来的……</p><div class="pay"><p>剩余 3,482 字，付费后继续阅读</p><p>开通会员，畅读全站文章，首月 9.9 元</p><button>立即开通</button><p>已是会员？登录</p></div>')),
    ("members only", "paywall", zh("深度", "<h1>谁在买下港口</h1><p>本文为会员专享内容</p><p>开通会员即可阅读全文</p><button>成为会员</button>")),
    ("deleted by author", "removed", zh_bare("", '<div class="weui-msg"><h2>该内容已被发布者删除</h2></div><script>window.x=1;</script><p>微信公众平台运营中心，如有疑问请联系。</p>')),
    ("against the rules", "removed", zh_bare("提示", "<h2>此内容因违规无法查看</h2><p>接相关投诉，此内容违反《互联网用户公众账号信息服务管理规定》，查看详细内容。</p>")),
    ("account closed", "removed", zh("账号", "<p>该账号已被封禁，内容无法查看</p><p>根据相关法律法规和平台规定，该账号已停止使用。</p>")),
    ("404", "not_found", zh("404 页面不存在", "<h1>404</h1><p>抱歉，您访问的页面不存在或已被删除。</p><p>5 秒后自动跳转到首页</p><a href='/'>返回首页</a>")),
    ("gone to mars", "not_found", zh("出错啦", "<h2>您访问的页面找不到了</h2><p>哎呀，它可能去了火星。请检查网址是否正确，或者返回首页看看别的内容吧。</p>")),
    ("can't find, title is silent", "not_found", zh_bare("海潮网", "<div class=e><p>没有找到您要访问的页面！</p><p>可能已被删除，或者您输入的网址有误，请检查后重新输入。</p><a href='/'>返回首页</a> <a href='javascript:history.back()'>返回上一页</a></div>")),
    ("404 with stories", "not_found", zh("页面未找到", f"<h1>页面未找到</h1><p>很抱歉，您要查找的页面不存在。</p><h3>热门文章</h3><ul>{_LIST[:500]}</ul>")),
    ("region", "region", zh("提示", "<h2>抱歉，您所在的地区暂无法访问该内容</h2><p>由于版权限制，本视频仅限中国大陆地区用户观看。</p>")),
    ("region by law", "region", zh_bare("无法提供服务", "<h1>您所在的国家或地区暂不支持访问</h1><p>应当地法律要求，我们无法在您的地区提供此服务，敬请谅解。</p>")),
    ("maintenance", "server_error", zh("系统维护", "<h1>系统正在维护</h1><p>为了提供更好的服务，网站正在升级维护中，预计今晚十点恢复访问，给您带来不便敬请谅解。</p>")),
    ("busy", "server_error", zh_bare("出错了", "<h1>服务器开小差了</h1><p>网络异常，请稍后重试，或者刷新页面试一下。</p><button>刷新</button><p>错误代码 502</p>")),
    ("closed by the host", "server_error", zh_bare("站点已暂停", "<div><h1>网站已暂停访问</h1><p>该网站已到期或未备案，请网站管理员尽快联系服务商处理。</p></div>")),
    ("domain for sale", "parked", zh_bare("域名出售", "<h1>该域名正在出售</h1><p>您正在访问的域名可以转让！如果您对该域名感兴趣，请提供您的报价。</p><p>联系方式：微信 00000，邮箱 sale@domain.example</p><p>一口价，支持中介交易，安全快捷。</p>")),
    ("nothing found", "no_results", zh("搜索：量子鲱鱼", "<p>抱歉，没有找到与“量子鲱鱼”相关的结果。</p><ul><li>请检查输入是否正确</li><li>更换关键词再试一次</li></ul><p>热门搜索</p>")),
    ("empty list", "no_results", zh("搜索结果", "<h1>搜索结果</h1><p>为您找到 0 条结果</p><p>暂无相关内容，换个关键词试试，或者看看大家都在搜什么。</p>")),
    ("unsubscribed", "done_note", zh("退订", "<h1>退订成功</h1><p>您已成功退订本刊，今后不会再收到我们的邮件。如果是误操作，可以点击这里重新订阅。</p>")),
    ("thanks", "done_note", zh("提交成功", "<h2>提交成功</h2><p>感谢您的留言，我们的工作人员会在三个工作日内与您联系，请留意您的邮箱。</p><a href='/'>返回首页</a>")),
    ("portal", "link_list", zh("首页", f"<h2>今日</h2><ul>{_LIST}</ul><h2>推荐</h2><ul>{_LIST.replace('/a/', '/b/').replace('的', '之')}</ul>")),
    ("tag", "link_list", zh("标签：城市", f"<h1>城市</h1><p>共 12 篇</p><ul>{_LIST}</ul>")),
    ("feed", "feed", zh("木工博客", f"<h1>木工博客</h1>{_TEASERS}<a href='/page/2'>下一页</a>")),
    ("traditional 404", "not_found", zh_bare("找不到網頁", "<h1>找不到網頁</h1><p>很抱歉，您要找的頁面不存在，可能已被移除。請回首頁繼續瀏覽，或使用上方的搜尋功能。</p>")),
    ("traditional consent", "consent", zh_bare("歡迎", "<p>我們使用 Cookie 來改善您的瀏覽體驗，並與第三方分享廣告資料。繼續瀏覽本網站即代表您同意隱私權政策。</p><button>全部接受</button><button>僅必要</button>")),
]  # fmt: skip

JAPANESE = [
    ("404", "not_found", ja("ページが見つかりません", "<h1>お探しのページは見つかりません</h1><p>申し訳ございません。お探しのページは削除されたか、URLが変更された可能性があります。</p><a href='/'>トップページへ戻る</a>")),
    ("members", "paywall", ja("港の十年", "<h1>港の十年</h1><p>電話が鳴ったのは日曜の夜だった。</p><div><p>この記事は会員限定です。続きを読むには有料会員への登録が必要です。</p><p>残り 2,340文字</p><p>月額980円、初月無料。いつでも解約できます。</p></div>")),
    ("login", "login", ja("ログイン", '<h1>ログイン</h1><p>このページを閲覧するにはログインが必要です。ログインしてください。</p><form><label>メールアドレス</label><input><label>パスワード</label><input type="password"><button>ログイン</button></form><a href="/f">パスワードをお忘れの方</a>')),
    ("maintenance", "server_error", ja("メンテナンス中", "<h1>ただいまメンテナンス中です</h1><p>ただいまシステムメンテナンスのためサービスを停止しております。ご迷惑をおかけしますが、しばらくしてから再度アクセスしてください。</p>")),
    ("robot", "bot_check", bare("確認", "<h2>ロボットではないことを確認してください</h2><p>通常と異なるトラフィックが検出されました。画像認証を完了してください。しばらくお待ちください。</p>")),
    ("consent", "consent", bare("みなと", "<p>当サイトではCookieを使用しています。お客様のプライバシーを尊重し、広告の表示や利用状況の分析のためにクッキーを利用します。</p><button>すべて同意</button><button>拒否</button><a href='/p'>プライバシーポリシー</a>")),
    ("taken down", "removed", ja("記事", "<p>この記事は掲載期間が終了しました。</p><p>公開期間が終了した記事は、削除され閲覧できません。ご了承ください。</p>")),
]  # fmt: skip
