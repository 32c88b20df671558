"""Texts that users reported because of wrong results."""

from unit.engine.extractive_cases import Case

LEASE = Case(
    "I want to make our job queue safe against two workers writing the same row",
    "Fencing tokens in practice",
    "A lease keeps two workers from doing the same thing. The worker writes its name and an end time to the row, and "
    "the write succeeds only if the row is still free. When the worker dies, the lease runs out and somebody else can "
    "take over. What most people forget is the fencing token: every later write must carry the number of the lease, "
    "and the database must refuse old numbers. We compared three designs in ten thousand simulated runs: checking only "
    "the status let 404 stale writes through, checking only the time let 423 through, checking the number let "
    "none through. The change was eleven lines of code. Start by listing every write a worker makes, then add the "
    "condition to each, then delete the conditions one by one and see whether a test fails.",
)
LEASE_ZH = Case(
    "想让任务队列不再被两个工人同时写同一行",
    "围栏令牌实践",
    "租约让两个工人不会做同一件事。工人把自己的名字和结束时间写到那一行上，只有这一行还空着，写入才会成功。"
    "工人死掉以后，租约到期，别人就可以接手。大家最容易忘记的是围栏令牌：之后的每一次写入都必须带上租约的编号，"
    "数据库必须拒绝旧的编号。我们比较了三种设计，跑了一万次模拟：只检查状态放过了 404 次过期写入，"
    "只检查时间放过了 423 次，检查编号一次也没有放过。改动只有十一行代码。先列出工人的每一次写入，"
    "再给每一次写入加上条件，然后逐个删掉条件，看测试是否失败。",
)
MEETINGS = Case(
    "I want my team to have fewer meetings",
    "How a remote team cut its meetings",
    "Our company has forty people in five cities. Last spring each of us spent 11.5 hours a week in meetings, and "
    "everybody felt that no time was left for work.\n\nFor three months we cancelled all regular meetings and wrote "
    "weekly reports instead. Writing one took 18 minutes, reading those of the whole group 12 minutes.\n\nAfter three "
    "months the time in meetings had fallen to 4.2 hours a week, 63% less.\n\nIf you want to try it, list all your "
    "regular meetings, then write down the decision each of them is for, then cancel those without a decision.",
    "manager",
)
MEETINGS_ZH = Case(
    "想让我的团队少开会",
    "远程团队如何减少会议",
    "我们公司有四十个人，分布在五个城市。去年春天，每个人每周要开 11.5 个小时的会，大家都觉得没有时间干活。\n\n"
    "三个月里，我们取消了所有例会，改成书面周报。写周报花 18 分钟，读完全组的周报花 12 分钟。\n\n"
    "三个月以后，每人每周的会议时间降到 4.2 个小时，减少了 63%。\n\n"
    "如果你也想试，先把所有例会列出来，再给每个会写下它要做的决定，然后取消那些没有决定可做的会。",
    "manager",
)
PAIRS = ((LEASE, LEASE_ZH), (MEETINGS, MEETINGS_ZH))
PARTITION = Case(
    "Partition our events table next week",
    "Partitioning a large table without downtime",
    "# Partitioning a large table without downtime\n\nOur events table had grown to 1.2 billion rows, and deleting old "
    "rows took 9 hours a night. Partitioning by month made that one command, because dropping a partition only changes "
    "metadata.\n\n1. Create a new table `events_new` that is partitioned by range on `created_at`.\n"
    "2. Create one partition for each month, and a default partition for the rest.\n"
    "3. Add a trigger that copies every new write to `events_new`, so that no row is lost.\n"
    "4. Copy the old rows in batches of 50,000, oldest first.\n"
    "5. Compare the counts by month, then rename the two tables in one transaction.\n\nThe copy took 31 hours, but the "
    "rename took 40 ms.",
)
LOAD_TEST = Case(
    "下周给我们的服务做一次压力测试",
    "用 k6 做压力测试的五个步骤",
    "压力测试不是为了得到一个漂亮的数字，而是为了知道系统在哪里先坏。我们去年大促前做了三次，第一次就发现连接池太小。\n\n"
    "1. 先写下目标：每秒多少请求，多少毫秒内返回。\n2. 准备和线上一样大的数据，至少 100 万行。\n"
    "3. 写一个 k6 脚本，按真实比例混合读和写。\n4. 从目标的一成开始，每五分钟加一成。\n"
    "5. 记下先坏的那个部件，修好以后再来一遍。\n\n"
    "修好连接池以后，吞吐量从每秒 800 次升到 3100 次，延迟从 1.9 秒降到 240 毫秒。",
)
STORY_ZH = Case(
    "给我的演讲找一个关于耐心的故事",
    "修表的人",
    "巷子口有一个修表的老人，修了五十二年的表。门口挂着一块木牌：急件不接。\n\n有一年冬天，一个年轻人拿来一块停了的怀表，"
    "问能不能今天修好。老人说：“表可以等，你等不了，那就带着它停着走吧。”年轻人很生气，摔门走了。\n\n"
    "十年以后，那个年轻人回来了。他说：“我现在不急了。”老人先打开了后盖，再夹出一粒沙，表就走了。他没有收钱。",
    "creator",
)
