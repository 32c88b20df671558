"""Stop words and generic words in English and Chinese."""

_STOP_TEXT = """
a about above across after again against all along also am among an and any are around as at be because been before
being below between both but by can could did do does doing done down during each else even ever every few for from
further get gets getting go goes got had has have having he her here hers him his how however i if in into is it its
itself just let like lot made make makes many may maybe me might mine more most much must my near need needed needs
never no nor not now of off often on once one only onto or other our ours out over own per please put really same say
says see seem shall she should since so some still such than that the their them then there these they thing things
this those though through to too toward towards unless under until up upon us use used uses using very via want wants
was way ways we well were what when where whether which while who whom whose why will with within without won would
yes yet you your yours learn learning understand know find figure look looking read reading save saved think try
trying today tomorrow article post page text blog don doesn didn isn aren wasn weren couldn wouldn shouldn ll ve re im
id lets whats first second two three later soon sometime
"""
STOP = frozenset(_STOP_TEXT.split())

# Generic words: they may refine an intent, but they alone do not make a match.
_GENERIC_TEXT = """
advice basic basics best better big bit build case change common company compare concept create day decide deep
detail different effective example explain fast full good great guide help hard high idea important improve
insight intro introduction issue job key kind last level life long low main new next people person plan point
practical practice problem project question quick real reason right simple small start step stuff system take
team technique time tip tool topic tutorial week work working world write year month approach overview lesson
share send talk prepare preparation apply choose pick story angle newsletter material inspiration replace
avoid prevent handle collect properly carefully thoroughly
"""
GENERIC = frozenset(_GENERIC_TEXT.split())

# Longest first, so that a longer phrase is not broken by a word inside it.
_STOP_ZH_TEXT = """
的 了 吗 呢 吧 啊 嘛 我 你 您 他 她 它 们 和 与 或 是 把 被 让 很 也 都 就 在 这 那 哪 怎 么 什 想 给 但 找 我们
你们 他们 咱们 自己 想要 希望 打算 准备 需要 学习 学会 了解 理解 搞懂 弄懂 弄清 明白 知道 看看 一下 研究 参考
掌握 收集 如何 怎么 怎样 什么 为什么 是否 能否 可以 应该 能够 哪些 哪个 有没有 要不要 会不会 这个 那个 这些 那些
一个 一些 一种 一篇 这篇 文章 以及 还是 或者 关于 对于 因为 所以 如果 但是 不过 而且 然后 通过 进行 使用 时候
之后 之前 时的 到底 究竟 有关 相关 比较 更好 更好地 怎么样 值得 以便 从而 没有 不是 就是 不会 只是 已经 正在
还有 一次 不再 同时 一直 学做 想学 逐个 尽量 更加 哪里 做 由于 虽然 其实 非常 可能 很多 许多 大家
起来 出来 下来 上来 决定 判断
"""
STOP_ZH = sorted(_STOP_ZH_TEXT.split(), key=lambda word: (-len(word), word))

_GENERIC_ZH_TEXT = """
工作 团队 项目 问题 方法 经验 实践 技巧 总结 内容 东西 方案 思路 下周 本周 今年 公司 分享 介绍 入门 教程 指南
改进 提高 提升 写一 一份 一次 用在 用于 做好 最佳 情况 过程 时间 部分 系统 事情 方面 开始 读者 选择 故事 素材
数字 平方 地方 做法 说法 周末 注意 事项 重新 弄清 整理 关注 行业 动态 趋势 最新 清楚 个人 资讯 新闻 同一 两个
适合 一款 下个 个月 本月 太多 太少 太慢 减少 降低 好好 改成 改为 换成 缩短 服务 选题 灵感 角度 案例 例子 众号 公众 防止
"""
GENERIC_ZH = frozenset(_GENERIC_ZH_TEXT.split())
