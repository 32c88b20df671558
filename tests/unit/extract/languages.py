"""The same text in six writings, which encodings cover differently."""

CHINESE = "租约让两个工人不会做同一件事。工人把自己的名字和结束时间写到那一行上，只有这一行还空着，写入才会成功。"
TAIWAN = "租約讓兩個工人不會做同一件事。工人把自己的名字和結束時間寫到那一行上，只有這一行還空著，寫入才會成功。"
JAPANESE = "リースがあれば、二人の作業者が同じ仕事をすることはない。作業者は自分の名前と終わりの時刻を行に書き込む。"
KOREAN = "임대는 두 작업자가 같은 일을 하지 못하게 합니다. 작업자는 자신의 이름과 끝나는 시간을 행에 적습니다."
RUSSIAN = "Аренда не даёт двум работникам делать одно и то же. Работник пишет своё имя и время окончания в строку."
FRENCH = "Un bail empêche deux ouvriers de faire le même travail : l’ouvrier écrit son nom. Ça suffit, déjà !"
