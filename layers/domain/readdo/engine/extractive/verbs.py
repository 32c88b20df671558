"""Verbs that begin instructions, in English and Chinese."""

from .stopwords import STOP

_SURE = """
add adopt allow apply ask assign attach automate avoid begin bring build buy cancel capture choose collect combine
compare compute configure confirm convert cook create decide declare define delete deploy describe disable discuss
discard divide eliminate enable enforce ensure enter estimate evaluate explain extract fetch fill find follow freeze
gather generate get give go grow hire identify include inspect install introduce invite keep launch learn leave let
make merge migrate organise organize pick prepare prefer publish pull push put rebuild reduce refuse reject remove
rename repeat replace restart restore retry rotate save schedule select send separate serve simplify skip soak
specify stir submit take teach tell think throw treat try update use validate verify weigh write
"""
# Also nouns: only the next word separates "List every write" from "List prices rose".
_NOUNS_TOO = """
back block book branch call change check clean close copy count cover cut design document draft drop export fix group
heat hold import increase join label limit list load lock log look map mark match measure mix monitor move name note
open order pass pause place plan post press print raise read record release reply report request reserve reset return
review roll run scale score search set shape share ship show sign sketch sleep sort split start stick stop store switch
talk test time track train trigger trim turn type upgrade visit wait walk warm wash watch work
"""
_FOLLOWERS = """
a an the your our all every each any both some no one two three four five ten it them this that these those its their
at only more fewer less whether how what which who when where down up out off in on with for to from as by twice until
"""
# A word at the start of a clause and before an article is an imperative, except the words below.
_ARTICLES = frozenset(["a", "an", "the", "your", "it", "them", "each", "every", "all"])
_NO_VERBS_TEXT = """
although despite unlike besides beyond amid inside outside given considering per plus via meanwhile whereas
unless perhaps often sometimes usually today yesterday beside within behind along around among throughout
regarding except including got took saw made did had went came gave found said left lost kept built wrote sold
told paid met read behold both half quite rather almost nearly else whatever whoever whichever whenever wherever
nobody everybody somebody everyone someone none either neither notwithstanding like upon onto into across
against
"""
_NO_VERBS = frozenset(_NO_VERBS_TEXT.split())
_DOUBLED = frozenset({"cut", "drop", "get", "let", "log", "map", "plan", "put", "run", "set", "ship", "skip", "split",
                      "stop", "trim"})  # fmt: skip
SURE = frozenset(_SURE.split())
NOUNS_TOO = frozenset(_NOUNS_TOO.split())
FOLLOWERS = frozenset(_FOLLOWERS.split())
_ALL_ZH = """
列出 写下 写出 写成 写好 写 加上 加入 增加 添加 删掉 删除 删 取消 测量 测试 测 记录 记下 检查 检验 准备 设置
设定 设 配置 安装 运行 部署 创建 新建 建立 建 选择 选出 选定 选 找出 找到 找 比较 对比 计算 算出 算 统计 收集
整理 拆分 拆 合并 限制 确认 确定 决定 规定 约定 避免 保留 保存 保持 读取 读 打开 关闭 关掉 停止 停下 暂停 启动
开始 试着 尝试 试做 试 使用 画出 画 问 告诉 通知 安排 分成 分配 分享 发布 发送 发 复制 改成 改为 修改 替换 捕获
上线 下载 上传 导出 导入 验证 查看 查找 查证 查 看看 阅读 放 倒入 倒 切 煮 炒 洗 泡 加热 加 做
"""
VERBS_ZH = tuple(_ALL_ZH.split())


def gerund(verb: str) -> str:
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ing"
    return f"{verb[:-1]}ing" if verb.endswith("e") and not verb.endswith("ee") else f"{verb}ing"


BASE = {gerund(verb): verb for verb in sorted(SURE | NOUNS_TOO)}


def commands(clause: str) -> bool:
    """True if an English clause begins like an imperative."""
    first, _, rest = clause.partition(" ")
    word, following = first.lower(), rest.partition(" ")[0].lower().strip(",;:")
    if not rest or not word.isalpha():
        return False
    imperative = word in SURE or (word in NOUNS_TOO and (following in FOLLOWERS or following[:1].isdigit()))
    return imperative or (following in _ARTICLES and _plain_verb(word))


def _plain_verb(word: str) -> bool:
    bare = word not in STOP and word not in _NO_VERBS and word not in NOUNS_TOO
    return bare and word.isascii() and not word.endswith(("s", "ed", "ly", "ing", "er", "tion"))
