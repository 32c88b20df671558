"""English boilerplate phrases by kind, strong and weak, of pages without a text."""

from judge_kinds import PageKind

GONE: dict[PageKind, tuple[str, str]] = {
    PageKind.NOTICE: (
        """
        you must be {18|21} {or older|years or older|years of age or older} to {enter|view|visit|continue}
        are you {over 18|over 21|18 or older|21 or older|of legal drinking age}?
        your browser is {not supported|no longer supported|out of date}
        you are {now in line|in the queue|in a queue|in the waiting room}
        {ad blocker|adblock|ad-blocker|adblocker} detected
        {we noticed|it looks like|looks like} you {are using|use|have|'re using} an ad {blocker|block}
        {please disable|disable|please turn off|turn off} your {ad blocker|adblocker|ad-blocker}
        {this content is|this page is|this article is|this post is} only available in {our app|our mobile app|the app}
        {continue|open|read on|keep reading} in {our app|the app} to
        you are {leaving our site|leaving this site|about to leave|about to be redirected|being redirected to}
        this {link|share|invitation|share link|shared link} has {expired|been revoked}
        {you need access|you need permission|request access|ask for access}
        """,
        """
        {enter your date of birth|i am over 18|i am over 21|i am 18 or older|i am 21 or older|verify your age}
        {upgrade your browser|update your browser|download chrome|download firefox|supported browsers}
        {estimated wait|your place in line|your turn|keep this page open}
        {whitelist|allow ads|continue without supporting us|support us by}
        {get the app|download the app|open app|open in app}
        {proceed|continue to|go back|not responsible for the content}
        """,
    ),
    PageKind.REMOVED: (
        """
        this {post|video|story|content|account|tweet|article|page|thread} {has been removed|was removed
        |has been deleted|was deleted|is no longer available|has been taken down}
        {this content|this post|this video|this page} isn't available
        sorry, this {post|video|content} {is unavailable|isn't available|has been removed}
        this {post|page|account} {is from a suspended account|has been suspended}
        {removed|deleted} by {the author|its author|the moderators|the user}
        removed for {violating|a violation}
        """,
        """
        violated our {terms|community guidelines|rules}
        suspended
        no longer available
        """,
    ),
    PageKind.NOT_FOUND: (
        """
        {page not found|404 not found|404 error|error 404|file not found|http 404|404 - }
        {the page|this page|the requested page|that page|the requested url|the article|the url
        |the content} {you requested|you are looking for|you're looking for|you were looking for|you want
        |} {could not be found|couldn't be found|can't be found|cannot be found|was not found|does not exist
        |doesn't exist|has not been found|is not available|is no longer available|no longer exists|has been moved}
        {we can't|we cannot|we couldn't|we could not|we can not|we were unable to} {seem to find|find} {the page
        |that page|this page|what you|the article|the content|the file}
        {page|article|post} {does not exist|doesn't exist|no longer exists|cannot be found}
        {nothing|no page} {was found|found} {at this location|at this address|here}
        this page {isn't available|doesn't exist|is missing|has moved}
        sorry, that page
        it looks like nothing was found
        there is currently no {text|content} {in|on} this page
        {that|this|the} page {seems|appears} to {have|be}
        the {link|page|url} {may be|might be|may have been|might have been} {old|broken|removed|out of date|outdated
        |incorrect|moved|deleted}
        the link you followed may be broken
        """,
        """
        404
        not found
        {oops|whoops|uh oh|uh-oh}
        {go back|return|back|go} {to the home page|to the homepage|to homepage|to home|home|to our homepage
        |to the front page}
        {may|might} have {been moved|been removed|been deleted|moved|expired}
        {mistyped|typed} the {address|url}
        {check|double-check} the {url|address|spelling}
        {back|head back|take me back|bring me back} to {the|our|your} {homepage|home page|start page}
        {broken link|dead link|wrong turn}
        {try searching|try a search|use the search}
        {no longer exists|temporarily unavailable|name changed}
        report {a broken link|this problem|the problem}
        lost
        """,
    ),
    PageKind.REGION: (
        """
        not available in your {country|region|location|area|territory}
        {unavailable|blocked|restricted} in your {country|region|location|area}
        {unavailable|not available} {due to|for} legal reasons
        451: unavailable
        {unavailable|not available|no access} {in the european union|to visitors from the european
        |in most european countries|to users in the eu|in the european economic area}
        {due to|because of} {gdpr|the gdpr|licensing restrictions|rights restrictions|legal restrictions|local laws
        |regional restrictions}
        we recognize you are attempting to access this website from a country
        we {cannot|can't|are unable to} {provide|offer|show|grant} {access|this content|this service} {to|in
        |from} {your country|your region|visitors|users}
        {visitors|users} {from|in} your {country|region}
        access from your {country|region|location} is {not allowed|restricted|blocked|not permitted}
        {you appear to be|it looks like you are|you are} {in|visiting from|accessing this site from} {a country
        |a region|outside}
        """,
        """
        451
        gdpr
        general data protection regulation
        european economic area
        {your country|your region|your location}
        vpn
        """,
    ),
    PageKind.SERVER_ERROR: (
        """
        {we'll be|we will be} {back|right back|back soon|back shortly|back online|back up}
        {down for|undergoing|under|performing|in} {maintenance|scheduled maintenance|planned maintenance
        |routine maintenance}
        {currently|temporarily} {unavailable due to|down|offline|under construction}
        {internal server error|bad gateway|gateway timeout|gateway time-out|service unavailable
        |service temporarily unavailable}
        {error establishing a database connection|a database error|database connection error}
        something went wrong
        an {unexpected error|error occurred|error has occurred|internal error|unhandled exception}
        there has been a critical error on this website
        the server {encountered|is temporarily unable|returned|took too long}
        application error
        {this site can't be reached|this page isn't working|connection timed out|web server is down}
        we're experiencing {technical difficulties|an outage|high traffic|technical problems}
        we are {currently experiencing|experiencing} {technical difficulties|an outage|high traffic
        |technical problems}
        site is {currently|temporarily} {unavailable|down|offline}
        bandwidth limit exceeded
        account suspended
        this account has been suspended
        """,
        """
        {500|502|503|504}
        try again {later|in a few minutes|shortly|soon}
        {maintenance|scheduled maintenance|maintenance mode}
        sorry for the inconvenience
        apologize for {the|any} inconvenience
        {refresh|reload} {the page|this page}
        technical difficulties
        contact {support|the administrator|the webmaster|your administrator}
        {nginx|apache/|error code}
        """,
    ),
    PageKind.PARKED: (
        """
        this domain {is|may be|name is|name may be|has been} {for sale|parked|registered|expired
        |available for purchase}
        {buy|purchase|acquire|own} this domain
        the domain {owner|name} {has|is} {for sale|parked|available}
        domain {is parked|for sale|has expired|parking}
        {inquire about|make an offer on|make an offer for|get a price for} this domain
        {parked|registered} {free, courtesy of|courtesy of|at|with namecheap|with godaddy}
        {future home of|this is the future home of}
        this {web page|page|site|website} is parked
        related searches:
        sponsored listings
        {welcome to nginx|apache2 default page|it works!|default web page|index of /}
        """,
        """
        {domain broker|domain name|domains}
        {make an offer|make offer|buy now|lease to own|get this domain}
        {related searches|related links|related topics}
        {is for sale|coming soon|under construction}
        """,
    ),
    PageKind.NO_RESULTS: (
        """
        {no results|no matches|no matching results|no search results|0 results|no articles|no posts|no items
        |no entries} {found|were found|available|yet|to show|to display}
        {your search|your query} {did not match|didn't match|returned no|found no|for}
        {we couldn't|we could not|we can't|we didn't} find {any|anything}
        {sorry, no|sorry, but nothing|nothing} {results|matched|matches} {your|were}
        no results for
        0 results
        {nothing found|nothing here yet|there is nothing here}
        """,
        """
        {try different|try other|try more general|try fewer} {keywords|words|search terms}
        {check your|make sure all words are} {spelling|spelled correctly}
        {search results|search again|refine your search|clear filters|remove filters|reset filters}
        try again with
        """,
    ),
    PageKind.DONE_NOTE: (
        """
        you {have been|have successfully|have now|are now|were|have} {unsubscribed|been unsubscribed
        |been removed from|subscribed}
        {you've|you have} {been|successfully} {unsubscribed|subscribed|removed from}
        {thank you|thanks} for {subscribing|signing up|your subscription|registering|your order|your purchase
        |contacting us|your message|your interest|your submission|getting in touch|your donation|reaching out}
        your {message|submission|form|request|comment|feedback|response} {has been|was} {sent|received|submitted
        |recorded|successfully sent}
        your {subscription|email address|email|account|order|registration} has been {confirmed|cancelled|canceled
        |verified|activated|received|placed}
        {check your|please check your} {inbox|email} {to confirm|for a confirmation|for the confirmation|and confirm
        |and click}
        {almost there|almost finished|one more step|you're all set|you're in!}
        we've sent {you an|a confirmation|an email|you a}
        we're sorry to see you go
        """,
        """
        {unsubscribed|resubscribe|re-subscribe|confirmation email|spam folder|junk folder}
        {we'll be in touch|we will get back to you|we'll get back to you|one of our team}
        no longer receive
        {thank you!|thanks!|success!}
        """,
    ),
}
