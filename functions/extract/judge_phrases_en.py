"""English boilerplate phrases by kind, strong and weak, of pages that stand before a text."""

from judge_kinds import PageKind
from judge_phrases_en_gone import GONE

ENGLISH: dict[PageKind, tuple[str, str]] = {
    PageKind.SCRIPT_SHELL: (
        """
        you need to enable javascript
        {please|you must|must} enable javascript
        {please turn|turn} {on javascript|javascript on}
        enable javascript {to|and} {run|view|use|continue|reload|refresh|see|access|proceed}
        javascript is {disabled|not enabled|not available|required|turned off}
        javascript {must be enabled|has been disabled|is currently disabled}
        requires javascript
        {doesn't|does not|won't|will not|can't|cannot} work {properly without|without} javascript
        {your browser does not|your browser doesn't} support javascript
        this {app|application|site|website|page} {needs|works best with} javascript
        """,
        """
        javascript enabled
        loading...
        loading, please wait
        {please use|upgrade to} a modern browser
        unsupported browser
        your browser is {not supported|out of date}
        """,
    ),
    PageKind.BOT_CHECK: (
        """
        checking your browser
        {verify|confirm|prove} {that you are|you are|you're|that you're} {human|a human|not a robot|not a bot
        |a real person}
        {verifying|making sure} {that you are|you are|you're} {human|not a bot|not a robot}
        just a moment...
        attention required!
        are you a {robot|human}?
        robot or human?
        unusual {traffic|activity} from your {computer network|network|device|ip address|browser}
        pardon our interruption
        press & hold to confirm
        press and hold {to confirm|the button}
        sorry, you have been blocked
        you have been blocked
        your {access|ip address|ip|request} has been {blocked|temporarily blocked|denied|limited}
        you don't have permission to access
        you do not have permission to access
        the request could not be satisfied
        access to this page has been denied
        {complete|solve} the {captcha|security check|challenge|puzzle} {below|to continue|to access|to proceed
        |to prove}
        enter the characters you see
        type the characters you see
        please complete the security check
        completing the captcha proves
        needs to review the security of your connection
        please enable js and disable any ad blocker
        please stand by, while we are checking
        we have detected {unusual|suspicious|automated} {activity|traffic}
        we've detected {unusual|suspicious|automated} {activity|traffic}
        we {think|believe} you {might|may} be {a bot|a robot|using automation tools}
        to continue, please {verify|confirm|complete|prove}
        {you are|you're} sending {too many requests|requests too quickly}
        too many requests
        """,
        """
        access denied
        forbidden
        403
        429
        ddos protection by
        performance & security by
        security check
        security verification
        human verification
        {browser check|bot check}
        i'm not a robot
        i am {human|not a robot}
        rate limit exceeded
        captcha
        why do i have to complete a captcha
        why have i been blocked
        this may take a few seconds
        this process is automatic
        {enable|allow} {javascript and cookies|cookies and javascript}
        enable cookies
        {bots|robots|automated access}
        your ip
        {redirected|redirect} {shortly|to your requested content}
        error 1020
        """,
    ),
    PageKind.CONSENT: (
        """
        we value your privacy
        your privacy {matters|is important to us}
        we care about your privacy
        before you continue to
        we and our {partners|vendors|trusted partners}
        {we use|we, and our partners, use} cookies
        {this|our} {site|website|web site|page} uses cookies
        {uses|use} cookies and similar {technologies|technology}
        we need your consent
        {manage|choose|set|review} your {cookie|privacy|consent} {preferences|choices|settings}
        {cookie|consent|privacy} {preferences|preference center|settings|choices}
        {by clicking|if you click|when you click} "{accept all|accept|agree|i agree|accept all cookies}"
        by clicking {accept all|accept|agree|i agree|accept all cookies}
        continue without accepting
        store and/or access information on a device
        """,
        """
        accept all
        accept {cookies|all cookies|and continue}
        reject all
        {reject|decline} {cookies|all cookies|non-essential cookies}
        {i accept|i agree|agree and close|agree and continue}
        only necessary cookies
        {strictly necessary|essential|functional|analytics|marketing|performance|targeting} cookies
        {cookie policy|cookie notice|privacy policy|privacy notice}
        cookies
        consent
        personalised {ads|content|advertising}
        personalized {ads|content|advertising}
        legitimate interest
        withdraw your consent
        """,
    ),
    PageKind.LOGIN: (
        """
        {log in|sign in|login|log on} {to continue|required}
        {you must|you need to|you have to|please} {be logged in|be signed in|log in|sign in|login} {to|or|first
        |before}
        you {must|need to} {be a member|create an account|have an account}
        you are not {logged in|signed in|authorized to view}
        {log in|sign in} with {google|facebook|apple|your account|sso|your email}
        {log in|sign in} to {your account|see|view|read|access}
        {log in|log into|sign in to} {facebook|linkedin|instagram|twitter}
        {create|register for} a free account to {continue|read|view|keep reading}
        join {now to see|to view}
        {members only|for members only|only for members}
        {this content is|this page is} {only available to|restricted to|for} {members|registered users
        |logged-in users}
        this account's posts are protected
        your session has {expired|timed out}
        """,
        """
        {forgot|forgotten|forgot your} {password|password?}
        {log in|sign in|login|sign up|log on}
        {create an|create new|create a new} account
        {remember me|keep me signed in|keep me logged in|stay signed in}
        {email or phone|email address or phone|username or email|email or username|phone number, username}
        password
        username
        {don't have an account|new user|new here|new to linkedin|not a member yet|no account}
        continue with {google|facebook|apple|email}
        single sign-on
        """,
    ),
    PageKind.PAYWALL: (
        """
        subscribe to {continue|keep} reading
        subscribe to {read|unlock|access|see} {the full|this|the rest|the whole|the entire}
        {this article is|this story is|this content is|this post is} {for subscribers|for paid subscribers
        |for paying subscribers}
        {this article is|this story is|this content is|this post is} {for subscribers only|only for subscribers
        |only available to subscribers}
        {this article is|this story is|this content is|this post is} {exclusive to|reserved for
        |available exclusively to|exclusively for} {subscribers|members|our subscribers|paying members
        |premium members}
        {this article|this story|this content} is {available to|part of our premium} {subscribers|content}
        the rest of {this|the} {article|story|post} is {for|available to|reserved for|only for} {subscribers|members
        |paying|paid}
        {subscriber|subscribers|members|premium} {exclusive|-only content|only}
        {unlock|get access to} {this article|this story|the full article|the full story|the rest of this
        |unlimited articles}
        {become a|you must be a} {subscriber|paying member|premium member} to {read|continue|unlock}
        {to read|to continue reading|read} the {full|rest of the|whole|entire} {article|story|post}, {please
        |} {subscribe|upgrade|become a|start|buy}
        to continue reading this {article|story|post}
        {continue|keep} reading {with a|this article with a|for just|for only} {subscription|$1|£1|€1}
        {start your|start a} {free trial|trial|subscription} to {continue|keep|read|unlock}
        {you've|you have} {reached your|used all your|hit your} {limit|monthly limit|article limit|free}
        {keep reading|continue reading} with a {7-day|30-day|14-day} free trial
        this is a premium article
        upgrade to {read|continue|unlock}
        purchase {this article|access to}
        """,
        """
        {already a subscriber|are you a subscriber|already subscribed}?
        {subscribe now|subscribe today|subscription options|view subscription options|see subscription options}
        {unlimited|full} {digital access|access}
        cancel {anytime|any time|at any time}
        {$1|£1|€1} {a week|a month|for|per week|per month|for the first}
        {first month|per month|per week|a month|billed}
        {premium|paid} {content|subscribers}
        complete digital access
        get full access
        {support|fund} {our|independent} journalism
        """,
    ),
    **GONE,
}
