import type { SampleNotebook } from "./types.js";

export const readingMachines: SampleNotebook = {
  name: "The history of reading machines",
  description: "From the codex to the memex: devices that bring the right page to the reader.",
  sources: [
    {
      title: "From roll to codex",
      url: "https://notebooks.example.org/reading-machines/codex",
      text: `For most of antiquity a book was a roll. Sheets of papyrus were pasted side by side into a strip, commonly six to ten metres long, and the text was written on the inner side in columns a hand's breadth wide. The reader held the roll in both hands, unrolling with the right and rolling up with the left, so that two or three columns were open at a time. When the end was reached the whole had to be wound back for the next reader.

A roll is a good machine for reading from beginning to end and a poor one for anything else. To compare two passages the reader has to travel between them. There are no pages, so there are no page numbers, and ancient writers who quote from memory are often excused on the ground that checking would have meant ten minutes of winding.

The codex, a stack of leaves fastened along one edge, grew out of the wooden writing tablets that Romans used for accounts and drafts. The Latin word caudex means a block of wood. Late in the first century the poet Martial advertised a pocket edition of his epigrams on parchment leaves, recommended it to travellers because it could be held in one hand, and told them the shop: that of Secundus, behind the temple of Peace. It is one of the earliest notices of literature sold in codex form, and it reads like an advertisement for a new gadget.

The gadget spread slowly. Among surviving Greek literary manuscripts of the second century, rolls outnumber codices by far; by the fourth century the codex has become the usual form, and after the sixth the roll is a survival. Christians are the great exception. From the second century on, nearly all of their Scriptures that we possess were copied into codices. Several reasons have been proposed: economy, since both sides of the leaf are written on; convenience on journeys; the wish to look different from the rolls of the synagogue and of the pagan library; and the habit of referring to passages, which a codex makes easy.

The decisive gain was random access. A finger or a slip of parchment can keep a place while the reader looks at another. Augustine, describing his conversion in the garden at Milan in the eighth book of the Confessions, says that he took up the volume of the apostle's letters, read the first passage on which his eyes fell, and then marked the place with his finger or some other sign before he closed the book. The gesture is impossible with a roll.

Later improvements were added to the same machine. Irish scribes of the seventh and eighth centuries began to separate words by spaces, which helped readers who were not born to Latin and made fast silent reading easier. Chapter divisions, running heads and numbered leaves followed in the Middle Ages. Printed page numbers became common in the course of the sixteenth century. By then the codex had nearly all the organs it has today, and the next inventions were built around it and not inside it.`,
    },
    {
      title: "Ramelli's bookwheel of 1588",
      url: "https://notebooks.example.org/reading-machines/ramelli",
      text: `Agostino Ramelli was a military engineer from northern Italy, born in 1531. He learned his trade under the Marquis of Marignano, went into the service of the French crown, and was wounded and taken prisoner at the siege of La Rochelle, in the wars of religion. In 1588 he published in Paris, at his own expense, a large book with the title Le diverse et artificiose machine. It has one hundred and ninety-five engraved plates, and its explanations are in Italian and French side by side. It is dedicated to King Henri III.

Most of the machines raise water. There are mills, cranes, bridges, devices for breaking down doors, and a fountain with singing birds. Plate 188 shows something else, the bookwheel as it was later called: a man in a long gown seated before an upright wheel as tall as himself, with an open book on each of its slanting shelves. Ramelli calls it a beautiful and ingenious machine, very useful and convenient for anyone who takes pleasure in study, and especially for those who are indisposed and tormented by gout. With it, he says, one can see and turn through a large number of books without moving from one spot.

The engineering problem is to keep every shelf at the same angle while the wheel goes round, so that no book slides off. Ramelli solved it by epicyclic gearing. A toothed wheel is fixed on the axle; intermediate wheels roll on it and drive a gear on every shelf, which is thus turned backwards just as much as the frame turns it forwards. The principle was known from astronomical clocks. Critics have remarked that it was not necessary. A shelf hung from a pivot above its centre of gravity stays level of its own accord, like the seats of a Ferris wheel, and Nicolas Grollier de Servière, in the following century, built a version that relied on weight alone.

Ramelli had designed the bookwheel by 1588, but there is no evidence that he ever constructed one. The plates of such books, which are known as theatres of machines, were meant to show what their author could imagine. But wheels of a similar kind were certainly built. A number of them, mostly of the seventeenth and eighteenth centuries, survive in European libraries, and one stands in the Biblioteca Palafoxiana in Puebla in Mexico. In 1985 the architect Daniel Libeskind made one of wood for an installation at the Venice Biennale, and in 2018 a group of students at the Rochester Institute of Technology built two working replicas from Ramelli's plate.

Why did the late sixteenth century want such a thing? Printing had multiplied books within a few generations, and scholars had begun to read in a new way: not one author through, but many authors on one point, comparing, excerpting and cross-referring. Large folios could not be held in the hand, and a table for eight of them would fill a room. The wheel answers a need that every researcher knows, the need to keep several texts open at once, each at its place. That the machine was rare and its picture famous suggests that the need was felt more widely than it could be afforded.`,
    },
    {
      title: "Slips, cards and cabinets",
      url: "https://notebooks.example.org/reading-machines/cards",
      text: `The card catalogue is a machine without moving parts, unless one counts the cards. Its principle is one item on one slip, so that the order can be changed without copying anything.

The principle is older than the cabinet. In 1548 the Zurich physician Konrad Gessner, who had compiled a bibliography of all printed authors in Latin, Greek and Hebrew, described how he worked. Copy everything worth noting on one side of a sheet, he advises, cut the sheet into slips, arrange the slips on a table until the order is right, and only then paste them down. Gessner's slips were temporary. They were scaffolding for a book.

Slips as a permanent catalogue appear in the late eighteenth century. After the French Revolution had confiscated the libraries of the church and of the emigrants, the government in 1791 ordered every district to list its books on cards, and recommended playing cards, whose backs were blank, whose size was even, and which were to be had everywhere. More than a million cards came in. The national catalogue for which they were intended was never completed, but the instruction is often called the first national cataloguing code.

In libraries open to readers the card came into its own in the second half of the nineteenth century. At Harvard, Ezra Abbot introduced a card catalogue for the use of the public in the early 1860s; until then such files had been kept for the staff, while the public used printed volumes that were out of date on the day they appeared. In 1876 Melvil Dewey, who published his decimal classification in the same year, also helped to found the American Library Association and began the business that became the Library Bureau, a supplier of library furniture. It sold cards and cabinets in a standard size, 7.5 by 12.5 centimetres, with a hole at the foot for a rod that kept the cards from being removed.

A standard size made cooperation possible. From 1901 the Library of Congress sold printed copies of its own cards. A small town library could buy, for a few cents, a description made by specialists, type the local shelf mark in the corner, and drop the card into the drawer. It was shared cataloguing on a national scale, and it trained librarians everywhere to follow the same rules.

The same rules later made it possible to hand the work to computers. The Ohio College Library Center, OCLC, was founded in 1967 and put its shared online catalogue into operation in 1971. For decades one of the chief products of this electronic system was paper: it printed customised cards for the drawers of its members, at the peak well over a hundred million in a year. The last cards were printed on 1 October 2015.

What was lost with the cabinets is a matter of dispute. Readers had found neighbours by accident, and staff had written corrections and remarks on the cards that no program was told to copy. What was kept is nearly everything else. The record in a modern catalogue has the same parts in much the same order as the card, and it is still, at heart, one item on one slip.`,
    },
    {
      title: "The Mundaneum",
      url: "https://notebooks.example.org/reading-machines/mundaneum",
      text: `In 1895 two Belgian lawyers, Paul Otlet and Henri La Fontaine, founded in Brussels an International Institute of Bibliography. Their aim was a catalogue of everything ever published, on index cards, arranged by subject and open to any enquirer in the world. La Fontaine was also active in the peace movement and received the Nobel Peace Prize in 1913. Both men believed that the organisation of knowledge and the prevention of war were parts of one task.

For the arrangement they took Dewey's decimal classification and, with his permission, enlarged it into what became the Universal Decimal Classification. Dewey's numbers put a book in one place. Otlet and La Fontaine added signs by which numbers can be combined, a colon for the relation between two subjects, other marks for place, time, language and form, so that a card could express a subject as complex as statistics of coal mining in Belgium in the nineteenth century. The scheme is still maintained and used in libraries of many countries.

The file grew quickly. It held some four hundred thousand cards by the end of 1895, and at its height in the 1930s more than twelve million. A staff, made up mostly of women, answered questions sent by post and telegraph, at a fixed charge per thousand cards; before the First World War there were over fifteen hundred such requests a year. Enquirers were warned if their question would produce too many answers, which may be the first query limit of an information service.

Otlet was not content with books. He regarded the book as one container of information among others, and wanted to take from each the facts, pictures and figures, to put each on its own card, and so to make one great encyclopaedia that is never finished. In 1906 he and the engineer Robert Goldschmidt proposed a book on microfilm, which would allow a library to be carried in a small case and read by projection.

After the war the Belgian government gave the collection rooms in the Palais du Cinquantenaire. Otlet called it first the Palais Mondial and later the Mundaneum. The government withdrew its support, and in 1934 the rooms were closed. In the same year Otlet published his Traité de documentation. In it he imagines a desk with no books on it. In their place are a screen and a telephone; the documents are kept in a vast building at a distance, and the page that the reader asks for is made to appear before him. The screen might be divided, he adds, to show several texts at once.

In 1940 German troops occupied Brussels, and the collection was cleared to make room for an exhibition; part of it was destroyed. Otlet died in 1944. The remainder was moved from one shelter to another until it found a home in Mons, where a museum and archive opened in 1998. Visitors can see a part of the original wooden cabinets. They fill the walls of a hall, drawer above drawer, each with its label, and they contain only a fraction of what was there.`,
    },
    {
      title: "As we may think: the memex",
      url: "https://notebooks.example.org/reading-machines/memex",
      text: `In July 1945 the Atlantic Monthly printed an essay by Vannevar Bush with the title “As We May Think”. Bush, an electrical engineer, had directed the Office of Scientific Research and Development, which coordinated American science in the war. He had drafted the essay before the war, in 1939, and its subject was the peace: what should scientists do next? His answer was that they should build instruments for handling the record of science itself, which had grown beyond anyone's ability to use it. In September of the same year the magazine Life published a shortened version with illustrations.

The instrument Bush describes is called the memex. It has the form of a desk. On its top are slanting translucent screens for reading, a keyboard, and sets of buttons and levers. Inside is a store of microfilm large enough for a lifetime's books, letters, newspapers and photographs, bought ready-made or filmed on the spot by placing the paper on a glass plate. Any item can be called up by typing its code, and leafed through by pushing a lever to the side: a little for one page at a time, further for ten or a hundred.

So far this is a well-organised library in a piece of furniture. The essential feature, Bush says, is another: the tying of two items together. The mind does not work by alphabetical order, he argues, but by association. With two documents on neighbouring screens, the user names a trail, taps a key, and the items are joined permanently; afterwards, whenever one is in view, the other can be recalled at once. Trails may have many members and side branches. Bush's own example is a reader who wants to know why the short Turkish bow was superior to the English long bow in the skirmishes of the Crusades. He goes through histories and encyclopaedias, finds an article here and a table of elastic constants there, joins them as he goes, and adds a page of his own. Years later he can hand a copy of the trail to a friend, to be put into the friend's memex.

Bush foresaw a new profession of trail blazers, who would find delight in establishing useful paths through the enormous mass of the common record. He did not foresee the digital computer in this role, although he had built analogue ones. The memex is a machine of film, photocells and motors, related to a rapid selector on which he had worked in the late 1930s. An earlier device of that kind, the statistical machine of Emanuel Goldberg in Dresden, which searched microfilm with a photocell, had been patented in the United States in 1931.

No memex was ever built. Its influence went through readers. Douglas Engelbart came upon the essay in 1945 as a young radar technician in the Philippines, and wrote to Bush about it many years later; on 9 December 1968 he demonstrated in San Francisco a system with a mouse, linked documents and shared screens. Ted Nelson, who coined the word hypertext in the 1960s, quoted Bush at length. When links became common on the web in the 1990s they lacked two things that the memex had: they ran in one direction only, and they belonged to the page and not to the reader.`,
    },
    {
      title: "Concordances, from Saint-Jacques to punched cards",
      url: "https://notebooks.example.org/reading-machines/concordances",
      text: `A concordance lists every word of a text, with the places at which it occurs. It is the oldest search engine, and for seven centuries it was made by hand.

The first great one was a concordance to the Latin Bible, compiled by Dominicans at the convent of Saint-Jacques in Paris, under the direction of Hugh of Saint-Cher, around 1230. Tradition speaks of hundreds of friars. To give places, they needed a system of reference that was the same in every copy. They used the division into chapters which had recently become established in Paris, and split each chapter into seven parts, named by the letters A to G. Verses did not exist yet; the numbered verses that we use were introduced by the printer Robert Estienne in the 1550s. The first version gave only the places. Later versions added a few words of context, because a bare number tells a preacher little about whether the passage is the one he wants.

The work shows what such an index depends on. One needs a fixed text, a fixed way of naming places, an alphabetical order that reaches beyond the first letter, and a decision about what counts as the same word. All of them were new, and all had to be agreed upon before the list could be begun.

The modern chapter opens with another member of a religious order. In the 1940s the Italian Jesuit Roberto Busa wanted to study the notion of presence in Thomas Aquinas and found that the key to it lay in small words such as the preposition in, which no index had thought worth listing. In 1949 he went to New York and asked Thomas J. Watson of IBM for help. The result was the Index Thomisticus: about eleven million words of Latin, punched on cards, sorted by machine, and each assigned to its dictionary form. Most of the punching was done by young women trained for the purpose at Gallarate near Milan. The printed edition, of more than fifty volumes, appeared from 1974 on, and the work later went to disc and to the web.

While Busa's cards were being punched, Hans Peter Luhn at IBM was looking for ways to cope with the flood of technical reports. In 1958 he showed an index made entirely by computer from titles. Each title was printed once for every important word in it, shifted so that this word stood in the middle of the line, with its context to the left and right. Unimportant words were skipped by means of a list. He called it key word in context, or KWIC. It needed no human judgement at all, and for that reason was both praised and distrusted. A reader who looked for sodium chloride would not find a title that spoke of salt.

The two approaches have been with us ever since. One takes words as they stand, quickly and without exception. The other asks what is meant, and needs somebody, or something, to decide.`,
    },
  ],
};
