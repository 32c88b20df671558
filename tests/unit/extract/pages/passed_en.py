"""English pages that must pass: short ones, look-alikes of boilerplate, pages with much navigation."""
# ruff: noqa: E501 (each page is one line)

from unit.extract.pages.frames import BANNER, LETTER, NOSCRIPT, article, bare, divs, paragraphs, site

_BODY = (
    "The ferry that links the two halves of the town has run since 1911, and for most of that time the timetable was painted on a board beside the slip. When the board was taken down last spring, nobody could say who had decided it.",
    "Mara Lind, who has sold tickets there for twenty years, wrote to the council and got no answer. So she painted a new one herself, in the same green, with the same letters, and hung it on the same two nails.",
    "The council has now asked for three more boards. Each will cost less than a tenth of the electronic sign that was planned, and each, the harbour master says, can be read in the rain.",
)
_CODE = "".join(
    f'<h2 id="o{n}">{w}</h2><p>The option <code>{w}</code> sets how the <a href="/ref/{n}">{w} pass</a> treats its input. '
    f'It defaults to off. See also <a href="#o0">the overview</a> and <a href="/guide/{n}">the guide</a>.</p>'
    for n, w in enumerate(("fold", "trim", "split", "merge", "sort", "dedupe"))
)
_TOC = "".join(f'<li><a href="#o{n}">Option {n}</a></li>' for n in range(6)) + "".join(
    f'<li><a href="/api/{n}">Reference part {n}</a></li>' for n in range(12)
)
_TOOLS = "".join(
    f'<h2>{n + 1}. <a href="/tools/{n}">{w}</a></h2><p>{w} has been on the bench for a year now. It is heavier than it looks, '
    "holds an edge through a week of oak, and the handle fits a small hand as well as a large one. What speaks against it is "
    f"the price, and the wait: the makers are three people, and the list is long. We paid for ours and gave it {n + 3} points.</p>"
    for n, w in enumerate(
        ("The block plane", "The marking knife", "The dovetail saw", "The mallet", "The bevel", "The rasp")
    )
)
_LINKED_TOOLS = "".join(
    f'<h2><a href="/tools/{n}">{w} from Hull</a></h2><p>It has been on the bench for a year, it holds an edge through a week of '
    f"oak, and the handle of {w.lower()} fits a small hand as well as a large one. The makers are three people.</p>"
    for n, w in enumerate(
        ("The block plane", "The marking knife", "The dovetail saw", "The mallet", "The bevel", "The rasp")
    )
)
_WEEK = "".join(
    f'<li><a href="https://{n}.example/post">{h}</a>. {t}</li>'
    for n, (h, t) in enumerate((
        ("How a clock escapement was reinvented", "I did not expect to read four thousand words on a spring, but here we are."),
        ("A map of every bench in Leeds", "Made by one man and his dog over eleven years. The data is open."),
        ("What the tide tables left out", "On the clerk who computed them by hand, and the error that nobody found."),
        ("Why type got small again", "A fair argument, though it forgets that people age."),
        ("The last telegram", "Short, as it should be."), ("Salt, a history of a tax", "The third chapter is the best."),
        ("Notes on repairing chairs", "Hide glue wins once more."), ("The bus that turned left", "Go for the photographs."),
        ("Small languages, large keyboards", "Three of my friends worked on this one."),
    ))
)  # fmt: skip
_RELATED = '<div class="related"><h3>More stories</h3>' + "".join(
    f'<h4><a href="/s/{n}">{w}</a></h4><p>A short beginning of it…</p>' for n, w in enumerate(("Tram", "Clock", "Rain", "Boats", "Salt"))
) + "</div>"  # fmt: skip

PAGES = [
    ("flash", site("Bridge reopens", article("Bridge reopens", "The harbour bridge reopened at noon on Friday, two days early, the city's works office said."))),
    ("flash with everything around it", site("Rates held", article("Rates held", "The central bank left its main rate at 3.25 percent on Thursday, as markets had expected."), more=BANNER + LETTER + NOSCRIPT)),
    ("flash among divs", divs("Quake off the coast", "<h1>Quake off the coast</h1><div>A magnitude 5.1 earthquake struck off the north coast at 04:12; no damage was reported.</div>", more=BANNER)),
    ("two sentences, bare", bare("Notice", "<p>The reading room on the second floor closes at four on Fridays from June. The basement stays open until eight.</p>")),
    ("poem", bare("Low tide", "<h1>Low tide</h1><p>The boats lie down on their sides<br>like cattle in the heat<br>and the man who owns the smallest<br>walks out to see its feet</p><p>the mud has kept his father's steps<br>or so he likes to say<br>and twice a day the water comes<br>and takes them all away</p>")),
    ("recipe", divs("Oat cakes", "<h1>Oat cakes</h1><h3>Ingredients</h3><ul><li>200 g oats</li><li>50 g butter</li><li>pinch of salt</li><li>6 tbsp hot water</li></ul><ol><li>Melt the butter in the water</li><li>Stir in oats and salt</li><li>Roll thin, cut, bake 20 minutes at 180 °C</li></ol>")),
    ("changelog", divs("2.4.1", "<h1>2.4.1 (2026-03-02)</h1><ul><li>fix: dates before 1970 are sorted correctly (<a href='/i/311'>#311</a>)</li><li>fix: crash on empty input (<a href='/i/314'>#314</a>)</li><li>perf: parse is 30 % faster on long lines</li></ul>")),
    ("definition", bare("Entropy – Glossary", "<h1>Entropy</h1><p>In information theory, the average amount of surprise in a message: the fewer bits on average that an ideal code needs, the lower its entropy.</p>")),
    ("announcement", divs("We have moved", "<h1>We have moved</h1><p>The workshop is now at 14 Mill Lane, behind the old dairy. Opening hours stay the same, and the kettle came along.</p>")),
    ("definition of 404", bare("404 Not Found - Web glossary", "<h1>404 Not Found</h1><p>404 Not Found is an HTTP status code that says that the server has no resource at the address that was asked for. It does not say whether the absence is for ever; 410 Gone does.</p>")),
    ("definition of 429", site("Too many requests", article("429 Too Many Requests", "429 Too Many Requests is a status that a server sends when a client asks too often. It was added in RFC 6585 in 2012, and may carry a Retry-After header that says how long the client ought to wait."))),
    ("definition of captcha", bare("CAPTCHA", "<h1>CAPTCHA</h1><p>A captcha is a test that tells humans from programs, usually with distorted letters or pictures. The word was coined in 2003 at Carnegie Mellon University.</p>")),
    ("short news of captchas", site("Cloud firm drops captchas", article("Cloud firm drops captchas", "A large cloud provider will stop asking visitors to verify that they are human, it said on Monday. The “Verify you are human” box vanishes in June."))),
    ("long piece on captchas", site("The end of the captcha", article("The end of the captcha", "Are you a robot? For twenty years the question has been put to people by machines, and for twenty years people have squinted at traffic lights to answer it.", "The first captchas asked for letters. By 2014 programs could read them better than people could, and the puzzles moved to pictures; the label said “Verify you are human”, and under it a grid of nine photographs.", "Now the puzzles are mostly gone. What decides is how the mouse moved before you came to the box, what your browser says of itself, and whether others at your address behaved. None of it can be seen, and none of it can be appealed against."))),
    ("on cookies, short", divs("Cookie banners cost us", "<h1>Cookie banners cost us</h1><p>Cookie banners cost Europeans 575 million hours a year, a study has found. The authors propose that browsers should answer for us.</p>", more=BANNER)),
    ("on consent, long", site("What the banners say", article("What the banners say", "“We value your privacy” is the most frequent sentence on the web, and it is almost never true. We read a thousand consent banners over a winter, and counted.", "Of those with a button to accept all cookies, one in three had a button to reject them on the same screen. The others hid it behind a second page, called manage preferences or more options.", "The law is plain: saying no must be as easy as saying yes. The fines, so far, have been smaller than what a week of personalised advertising brings in. Regulators in four countries told us that this will change next year."))),
    ("biscuits in a cookie box", divs("Ginger cookies", '<div class="cookie-recipe"><h1>Ginger cookies</h1><p>Cream 120 g of butter with the sugar, stir in one egg, then flour, ginger and soda. Bake eleven minutes; they firm up as they cool.</p></div>')),
    ("on paywalls, short", site("Paper takes down its paywall", article("Paper takes down its paywall", "The Northern Gazette removed its paywall on Tuesday after eight years, and will ask readers for gifts instead. Subscriptions had fallen by half since 2022."))),
    ("on paywalls, long", site("Does the paywall work?", article("Does the paywall work?", "Subscribe to continue reading: five hundred newspapers now end their second paragraph with these words, or some like them. We asked forty of them whether it pays.", "It does, for six. They have something that nobody else has: a court reporter, a football club, a stock list. The others sell fewer than two subscriptions for a thousand visits, and lose nine readers of ten at the gate.", "The editor of one of the six told us that she had never wanted it. “A locked door is a poor way to say hello,” she said. Yet the door pays for eleven people, and the year before it, there were four.", "What comes next may be smaller: a price for a day, a week, a single story. Two start-ups sell such tickets, and both have customers that came back."))),
    ("on javascript", divs("Sites that need JavaScript", "<h1>Sites that need JavaScript</h1><p>When a reader switched off scripts for a month, 41 of the 100 sites he visited told him that they need JavaScript to work. Eight of them were plain text.</p><p>The worst was a weather page: three numbers, eleven megabytes of scripts. The best was his bank, which works, if slowly.</p>")),
    ("how to enable javascript", divs("How to turn on scripts in Firebird", "<h1>How to turn on scripts in Firebird</h1><p>If a page says “Please enable JavaScript”, the browser blocks its scripts. Type about:config in the address bar, look for javascript.enabled and set it to true.</p><p>Only that tab needs to be loaded again. Extensions such as ScriptGuard have a switch of their own in the toolbar, and it wins over the setting.</p>")),
    ("on 404 pages", site("404", article("The best lost pages", "A museum in Ghent has collected four thousand error pages since 1998. The oldest says no more than Not Found; the newest plays a waltz.", "The curator likes those best that say sorry and mean it. One of them, from a shop for ropes, reads: we looked everywhere. Another offers a recipe for soup."))),
    ("question about a 404", divs("Page not found after deploying to Shipyard", "<h1>Page not found after deploying to Shipyard</h1><div class='q'><p>I get a 404 page not found on every refresh, but only in production. My router has three routes, and the first one works when I click on the link.</p><pre>rewrite / -> index.html</pre><p>What am I missing?</p></div><div class='a'><p>The host looks for a file of that name. Send all paths to index.html, then the router can do its work.</p></div>")),
    ("question about a check", divs("Stuck on Checking your browser", "<h1>Stuck on “Checking your browser” in headless mode</h1><p>My test opens our own staging site and never gets past the interstitial. It works with a window. I have set the language and the time zone, without any change. Which headers differ?</p>")),
    ("on domain sales", site("Three letters, four million", article("Three letters, four million", "The domain qua.example was sold for 4.1 million dollars on Wednesday, the highest price for three letters since 2021, the broker said."))),
    ("on logins", divs("Log in with a key", "<h1>Log in with a key</h1><p>Passkeys replace the password with a key that never leaves the phone. Since March half of our users sign in with one, and calls about forgotten passwords fell by 70 percent.</p>", more=LETTER)),
    ("login form in the corner", divs("Notes on glue", '<div class="login"><form><label>Username</label><input><label>Password</label><input type="password"><button>Log in</button></form></div><h1>Notes on glue</h1><p>Hide glue is made by boiling skins, and it has held chairs together for three thousand years. It lets go when it is warmed, which is why old chairs can be repaired at all and new ones often cannot.</p>')),
    ("on maintenance to come", divs("Maintenance on Saturday", "<h1>Maintenance on Saturday</h1><p>On Saturday, 14 March, the catalogue moves to a new machine. From two to four in the morning loans cannot be renewed; books that fall due that night are renewed for a week.</p>")),
    ("post-mortem", divs("What happened on 3 May", "<h1>What happened on 3 May</h1><p>At 09:12 a certificate expired, and for 47 minutes every page said “Service unavailable”. Nobody was warned, because the warning went to an address that no longer exists.</p><p>The certificate is now renewed by a program, and the warning rings a phone. The program is checked by a second one, on another machine.</p>")),
    ("on region blocks", site("Geo-blocking falls", article("Geo-blocking falls", "Broadcasters may no longer tell viewers that a film is not available in their country, the court ruled on Tuesday. The ruling takes effect in two years."))),
    ("documentation with links", divs("Options", f"<ul>{_TOC}</ul><h1>Options</h1>{_CODE}")),
    ("listicle", site("Six tools worth their price", f"<h1>Six tools worth their price</h1><p>We bought them, used them for a year, and kept these.</p>{_TOOLS}")),
    ("listicle whose headings are links", divs("Six tools", "<h1>Six tools worth their price</h1>" + _LINKED_TOOLS)),
    ("a story that begins with a quote", site("The box", article("The box", '"Verify you are human," said the box. The old woman, who was ninety and had been asked worse, told the box that she was, and went on reading.'))),
    ("links of the week", divs("Links of the week", f"<h1>Links of the week</h1><p>Nine things that I read, and what I think of them.</p><ul>{_WEEK}</ul>")),
    ("article with related stories", site("The painted board", article("The painted board", *_BODY), more=_RELATED)),
    ("short article with related stories", site("Board is back", article("Board is back", _BODY[2]), more=_RELATED)),
    ("article with a consent box first", bare("The painted board", BANNER.replace("cookie-banner", "bx") + article("The painted board", *_BODY))),
    ("flash with an unmarked consent box first", bare("Board is back", "<div class='b1'><p>We use cookies to improve your experience.</p><button>OK</button></div>" + article("Board is back", _BODY[2]))),
    ("article with gates in the footer", site("The painted board", article("The painted board", *_BODY), more='<div class="promo"><p>Subscribe to support independent journalism.</p><p>Already a subscriber? <a href="/login">Sign in</a></p></div>')),
    ("article with recaptcha in comments", divs("The painted board", article("The painted board", *_BODY) + '<form><textarea></textarea><div class="g-recaptcha"></div><p>You must be logged in to post a comment.</p></form>', '<script src="https://www.google.com/recaptcha/api.js"></script>')),
    ("short post with scripts and a root", bare("Board", f'<div id="root"><h1>Board</h1><p>{_BODY[2]}</p></div><noscript>You need to enable JavaScript to run this app.</noscript><script src="/m.js"></script>')),
    ("thanks from a writer", divs("Thank you", "<h1>Thank you</h1><p>Ten years ago I began to write here about chairs. Four hundred posts later the workshop is sold, and this is the last one. My knees thank you too.</p>")),
    ("release note", divs("Sign in with keys", "<h1>Sign in with keys</h1><p>Version 5.2 adds passkeys. The old login page stays until autumn. Admins can switch it off under Security, and nobody is asked to enrol twice.</p>")),
    ("obituary of a page", site("This page is gone", article("The page that was gone", "In 1996 a teacher in Turku put the tide tables of the whole world on one page. Last week it was gone, and within a day four hundred people had written to ask for it. Her grandson found the files on a floppy disk."))),
    ("job", divs("Carpenter wanted", "<h1>Carpenter wanted</h1><p>For our workshop in Hull we look for somebody who can read a drawing and mend a plane. Thirty hours a week, from May. Write to Ann at the address below.</p>")),
    ("quote", bare("On rain", "<blockquote><p>There is no bad weather, said my aunt, who had never once been seen without an umbrella in the sixty years I knew her.</p></blockquote>")),
    ("faq", divs("Questions", "<h1>Questions</h1><h3>Can I bring a dog?</h3><p>Yes, on a lead, and not into the reading room.</p><h3>Is there parking?</h3><p>Behind the dairy; it costs two pounds a day.</p><h3>I forgot my password. What now?</h3><p>Ask at the desk with your card, and they reset it at once.</p>")),
    ("essay that says it a thousand times", bare("Refrain", "".join(f"<p>Verify you are human. That was line {n} of the poem he wrote on the wall, and each time the paint was another colour.</p>" for n in range(1000)))),
]  # fmt: skip

PARTIAL = [
    ("teaser of three paragraphs", "paywall", site("The painted board", f'<article><h1>The painted board</h1>{paragraphs(*_BODY)}<div class="gate"><h2>Subscribe to continue reading</h2><p>Unlimited access for $1 a week. Cancel anytime.</p></div></article>')),
    ("for subscribers, two paragraphs", "paywall", divs("The painted board", f"<h1>The painted board</h1>{paragraphs(*_BODY[:2])}<div><p>This article is for subscribers only.</p><button>Subscribe now</button></div>")),
    ("sign in for the rest", "login", divs("The painted board", f"<h1>The painted board</h1>{paragraphs(*_BODY)}<div class='x'><p>Sign in to read the full article.</p><a href='/in'>Sign in</a></div>")),
    ("the rest of the post", "paywall", bare("Letter 12", f"<h1>Letter 12</h1>{paragraphs(*_BODY)}<p>The rest of this post is for paid subscribers.</p>")),
]  # fmt: skip
