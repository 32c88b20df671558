"""Work words in both languages: many who save English pages write their intent in Chinese, and the other way round."""

from .keywords import stem

_PAIRS = """
缓存=cache 并发=concurrency,concurrent 数据库=database 性能=performance 部署=deploy,deployment 测试=test
架构=architecture 接口=api,interface 微服务=microservice 队列=queue 消息=message 延迟=latency 吞吐=throughput
限流=throttle,limiter 重试=retry 幂等=idempotent,idempotency 事务=transaction 索引=index 查询=query
日志=log,logging 监控=monitor,monitoring,observability 安全=security,secure 权限=permission,authorization
认证=authentication 加密=encryption,encrypt 容器=container 云=cloud 服务器=server 无服务器=serverless
函数=function 算法=algorithm 模型=model 训练=training 提示词=prompt 机器学习=machine 人工智能=ai 数据=data
分析=analysis,analytics 设计=design 前端=frontend 后端=backend 组件=component 框架=framework 代码=code
重构=refactor 调试=debug,debugging 版本=version 迁移=migrate,migration 备份=backup 恢复=recovery,restore
故障=failure,incident,outage 成本=cost 预算=budget 价格=price,pricing 收入=revenue 利润=profit 增长=growth
用户=user,customer 客户=customer,client 产品=product 市场=market 营销=marketing 品牌=brand 销售=sales
策略=strategy 目标=goal,objective 指标=metric 风险=risk 决策=decision 管理=management,manage 招聘=hiring,recruit
面试=interview 会议=meeting 沟通=communication 反馈=feedback 绩效=performance 领导=leadership,leader
写作=writing 标题=headline,title 故事=story 读者=reader,audience 习惯=habit 睡眠=sleep 健康=health
效率=productivity,efficiency 专注=focus 远程=remote 投资=investment,invest 自动化=automation,automate
工作流=workflow 文档=documentation,document 搜索=search 推荐=recommendation 锁=lock 条件写=conditional
一致性=consistency 分布式=distributed 扩展=scale,scaling 负载=load 网络=network 协议=protocol 笔记=note
阅读=reading 学习=learning 教育=education 咖啡=coffee 烹饪=cooking 气候=climate 能源=energy
"""


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for pair in _PAIRS.split():
        chinese, english = pair.split("=")
        table[chinese] = frozenset(stem(word) for word in english.split(","))
    return table


CHINESE = _table()


def chinese_for(stemmed: str) -> frozenset[str]:
    return frozenset(chinese for chinese, english in CHINESE.items() if stemmed in english)
