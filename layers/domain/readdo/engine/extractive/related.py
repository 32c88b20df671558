"""Related words by field, one field per line, in English and Chinese.

A text about leases and workers matches an intent about queues without naming them. One related word may be chance,
several show the subject. Related words count less than the word itself.
"""

from functools import cache

from .stemming import stem
from .stopwords import GENERIC

_FIELDS = """
queue job worker task lease broker consumer producer message backlog | 队列 任务 工人 租约 消息 消费者 积压
safe safety lock lease race conflict overwrite stale lost lose duplicate fence fencing atomic guard condition \
| 安全 锁 租约 冲突 覆盖 丢失 重复 原子 令牌
secure security password login attack breach vulnerability encryption token permission phishing authentication \
| 安全 密码 登录 攻击 漏洞 加密 权限 钓鱼 泄露
concurrency race lock parallel thread atomic transaction conflict simultaneous lease \
| 并发 锁 线程 并行 原子 事务 冲突 租约
database sql table row column index query schema postgres mysql dynamodb sqlite transaction replica \
| 数据库 数据表 索引 查询 事务 字段 主键 行锁
cache caching redis ttl expiry evict hit miss stale invalidation memcached | 缓存 过期 失效 命中 穿透 雪崩
performance fast speed slow latency throughput millisecond optimise optimize startup profile bottleneck \
| 性能 速度 延迟 卡顿 启动 优化 吞吐 毫秒 耗时 提速
deploy deployment release rollout rollback canary pipeline ship container docker kubernetes \
| 部署 发布 上线 回滚 灰度 容器 流水线
test testing unit regression coverage assert mock bug quality | 测试 用例 断言 回归 覆盖率 缺陷
reliability outage incident failure retry backoff timeout recovery alert oncall runbook postmortem \
| 故障 事故 重试 超时 恢复 告警 值班 复盘 容灾
backup restore snapshot recovery archive replica disaster pgbackrest | 备份 恢复 快照 归档 容灾
monitor monitoring alert metric log dashboard trace observability prometheus noise pager \
| 监控 告警 指标 日志 追踪 仪表盘 噪音 误报 夜间 故障
log logging ingest debug trace splunk retention query | 日志 采集 调试 追踪 留存
cost bill price budget spend money saving dollar euro cheap expensive fee \
| 成本 费用 账单 价格 预算 开销 花费 省钱 万元
cloud aws azure storage serverless lambda instance server ingest bill | 云 云端 存储 服务器 实例 账单
api request response endpoint client http rest limit throttle | 接口 请求 响应 限流 客户端
retry backoff timeout idempotent jitter attempt http error | 重试 退避 超时 幂等 抖动
limit limiting limiter throttle quota bucket burst rate | 限流 配额 令牌 突发 漏桶
microservice monolith service boundary module distributed split deploy architecture \
| 微服务 单体 服务 模块 分布式 拆分 架构
code programming software developer engineer function library refactor python javascript rust \
| 代码 编程 程序 函数 开发 重构 工程师
frontend browser css react component page layout render | 前端 浏览器 页面 组件 样式 渲染
mobile app phone android ios startup crash install | 应用 手机 安卓 启动 崩溃 安装包
ai model llm prompt training dataset inference agent token transformer attention neural network \
| 模型 训练 提示词 推理 数据集 智能体 大模型
data analysis analytics statistic dataset chart survey sample | 数据 分析 统计 图表 样本 调查
hardware chip semiconductor wafer fab factory processor gpu capacity | 硬件 芯片 半导体 晶圆 处理器 产能 工厂
supply shortage capacity factory production volume shipment delay inventory supplier reserve \
| 供应 短缺 产能 工厂 产量 库存 交付 供应商
car vehicle electric battery charging driving ev | 汽车 电动 电池 充电 驾驶 车企 新能源
industry market export import tariff company sales growth share | 行业 市场 出口 进口 关税 企业 销量 增长
hiring hire interview candidate recruiter resume offer onboarding talent | 招聘 面试 候选人 简历 入职 人才
manager management lead leadership report feedback coach | 管理 经理 主管 领导 带人 下属 管理岗
career promotion job salary manager role skill | 职业 晋升 薪水 转岗 岗位 跳槽
meeting calendar agenda attendee standup call video conference | 会议 例会 开会 日程 议程 周报
remote office commute distributed hybrid async call video camera zoom | 远程 办公 通勤 异地 异步
decision decide choose option tradeoff criteria alternative | 决定 决策 选择 取舍 方案
habit routine discipline daily practice streak | 习惯 坚持 自律 日常 打卡
patience patient wait slow hurry calm | 耐心 等待 慢慢 急 着急 不急 平静
productivity focus attention distraction deep efficiency priority procrastination | 效率 专注 分心 优先级 拖延 番茄钟
writing writer essay draft sentence story edit author novel | 写作 文章 初稿 故事 作者 作家 文字 写字
newsletter reader audience subscriber blog content headline | 读者 公众号 订阅 博客 标题 内容
product user customer feature feedback roadmap launch retention | 产品 用户 客户 功能 需求 留存 路线图
marketing brand campaign advertising conversion customer growth | 营销 品牌 广告 转化 推广 获客
sales customer deal price contract negotiate revenue | 销售 客户 合同 谈判 订单 收入
invest investment stock fund bond portfolio return index dividend | 投资 股票 基金 债券 收益 定投 分红
money saving debt loan mortgage tax income pension insurance | 理财 存款 债务 贷款 房贷 税 收入 保险 养老
bread sourdough dough flour bake oven loaf starter yeast knead | 面包 面团 面粉 烤箱 烘焙 酵母 发酵
cook cooking recipe kitchen pan oil salt boil fry taste dish | 烹饪 做饭 菜谱 锅 调料 炒 煮 味道
sleep bed night bedroom wake insomnia melatonin nap | 睡眠 睡觉 入睡 失眠 卧室 起床 补觉
health doctor disease symptom medicine blood heart risk patient | 健康 医生 疾病 症状 药 血压 心脏 体检
exercise run running training muscle gym strength marathon workout | 运动 跑步 训练 肌肉 健身 力量 马拉松
back spine posture sit desk chair pain neck | 腰 脊柱 坐姿 久坐 颈椎 椅子 疼痛
food diet protein sugar calorie weight meal nutrition | 饮食 蛋白质 糖 热量 减肥 营养
communicate communication conversation listen listening talk feeling apology argue \
| 沟通 交流 倾听 对话 感受 情绪 吵架 道理 表达 说话
child kid parent school homework toddler family | 孩子 父母 家长 学校 作业 育儿 家庭
education teacher student school course exam lesson curriculum | 教育 老师 学生 学校 课程 考试 教学
language vocabulary grammar english word speaking fluency | 语言 词汇 语法 英语 单词 口语
memory spaced repetition flashcard recall forget review | 记忆 复习 遗忘 背诵 卡片
hiking hike alp alpine mountain trail boot rucksack backpack jacket map hut | 徒步 登山 高山 背包 帐篷 山路
travel trip flight hotel luggage visa passport pack tourist | 旅行 行李 航班 酒店 签证 护照 机票 出国 托运
climate carbon emission energy solar wind warming temperature | 气候 碳 排放 能源 光伏 风电 变暖 气温
energy battery solar grid power electricity heat pump | 能源 电池 电网 电力 供热 热泵 光伏
garden gardening plant soil seed compost tomato water | 园艺 种植 土壤 种子 浇水 堆肥 番茄
house renovation wiring cable socket circuit electrician paint \
| 老房子 旧房 装修 布线 电线 换线 插座 线材 回路 断路器 电工 开槽
house home rent apartment mortgage renovation landlord | 房子 租房 房租 装修 房价 公寓
law legal contract court regulation compliance privacy gdpr | 法律 合同 法院 监管 合规 隐私
history war empire century ancient | 历史 战争 帝国 世纪 古代
music song guitar piano practice chord | 音乐 歌 吉他 钢琴 练习 和弦
photo photography camera lens light exposure | 摄影 相机 镜头 光线 曝光
design interface ux layout colour typography usability | 设计 界面 布局 颜色 字体 交互 可用性
presentation talk speech slide audience speaker stage | 演讲 演示 幻灯片 听众 观众 讲台
"""
_MOST = 12


@cache
def _fields() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Two maps, for English stems and Chinese words, to all words of their fields."""
    english: dict[str, frozenset[str]] = {}
    chinese: dict[str, frozenset[str]] = {}
    for line in _FIELDS.strip().splitlines():
        english_part, _, chinese_part = line.partition("|")
        stems, words = (
            frozenset(stem(word) for word in english_part.split() if word not in GENERIC),
            frozenset(chinese_part.split()),
        )
        whole = stems | words
        for one in stems:
            english[one] = english.get(one, frozenset()) | whole
        for one in words:
            chinese[one] = chinese.get(one, frozenset()) | whole
    return english, chinese


def related_to(stemmed: str) -> frozenset[str]:
    """The words of the same fields as this English stem. English words are stems."""
    return _fields()[0].get(stemmed, frozenset()) - {stemmed}


def related_in(run: str) -> dict[str, frozenset[str]]:
    """The Chinese words of a run that belong to a field, each with the other words of the field."""
    related: dict[str, frozenset[str]] = {}
    for at in range(len(run)):
        for size in (4, 3, 2):
            word = run[at : at + size]
            others = _fields()[1].get(word)
            if others and len(word) == size and len(related) < _MOST:
                related[word] = others - {word}
    return related
