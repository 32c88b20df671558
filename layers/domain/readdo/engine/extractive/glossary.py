"""Chinese–English pairs of common words, for intents in another language than the text."""

from .stemming import stem

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
令牌=token 令牌桶=bucket 漏桶=leaky 突发=burst 流量=traffic 请求=request 租约=lease 冲突=conflict 覆盖=overwrite
写入=write 读取=read 超时=timeout 告警=alert 值班=oncall 事故=incident,outage 回滚=rollback 灰度=canary 发布=release
上线=launch,release 集群=cluster 节点=node 存储=storage 内存=memory 线程=thread 进程=process 编译=compile,compiler
类型=type 依赖=dependency 开源=open 浏览器=browser 手机=phone,mobile 应用=app,application 网站=website,site
域名=domain 邮件=email,mail 密码=password 登录=login 漏洞=vulnerability 隐私=privacy 合规=compliance 法律=law,legal
供应链=supply 芯片=chip 硬件=hardware 半导体=semiconductor 汽车=car,vehicle 电池=battery 新能源=electric 出口=export
进口=import 关税=tariff 行业=industry 公司=company 创业=startup 融资=funding 团队=team 员工=employee 经理=manager
工程师=engineer 程序员=programmer,developer 开发=development,developer 职业=career 薪水=salary 培训=training
课程=course 学生=student 老师=teacher 考试=exam 孩子=child,children 家庭=family 父母=parent 饮食=diet,food 运动=exercise
跑步=running 减肥=weight 医生=doctor 疾病=disease 药=medicine 心理=psychology,mental 焦虑=anxiety 压力=stress
记忆=memory 语言=language 英语=english 翻译=translation,translate 历史=history 音乐=music 摄影=photography 旅行=travel
行李=luggage 酒店=hotel 签证=visa 房子=house 房租=rent 装修=renovation 贷款=loan 税=tax 保险=insurance 股票=stock
基金=fund 通胀=inflation 利率=rate,interest 经济=economy,economic 贸易=trade 政策=policy 城市=city
交通=traffic,transport 面包=bread 菜谱=recipe 花园=garden 植物=plant
土壤=soil 垃圾=waste 森林=forest 水=water 空气=air 碳=carbon
演讲=speech,presentation 耐心=patience 谈判=negotiation,negotiate 冲刺=sprint 需求=requirement,demand 路线图=roadmap
实验=experiment 统计=statistics 图表=chart 调查=survey 报告=report 总结=summary 清单=checklist,list 模板=template
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
