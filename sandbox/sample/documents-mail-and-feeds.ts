import { counted } from "./counted.js";

/** Newsletters that arrive by mail, and what the feeds bring in. */
export const mailAndFeeds = counted([
  {
    key: "mail-marginalia-41",
    title: "Marginalia, letter 41: On finishing",
    author: "Ines Marlowe",
    category: "email",
    location: "new",
    source: "Reader Email",
    source_url: "https://mail.example.org/marginalia/41",
    site_name: "Marginalia by mail",
    summary: "Permission to stop, three books that reward stopping, and a reader's reply.",
    tags: ["reading", "newsletter"],
    published_date: "2026-11-08",
    reading_progress: 0,
    saved_at: "2026-11-08T06:00:00Z",
    html: `<p>Dear reader,</p>
<p>Several of you wrote after the last letter to confess that you do not finish books. You wrote as one writes to a priest. Let me return the favour: neither do I, and I have stopped being sorry.</p>
<p>There is a rule of thumb that one should give a book fifty pages. Someone has improved it: subtract your age from a hundred, and read that many. At eighty, twenty pages are enough, and at a hundred one may judge by the cover. I like the arithmetic, but I think it asks the wrong question. What matters is whether you stop or drift. To stop is a decision, and can be written on the flyleaf with the date and a reason: too many cousins, not now, better in winter. To drift is only to mislay the book under another one.</p>
<p>Three that are good to stop in: any volume of letters, at any letter; a dictionary of a language you do not speak; and Moby-Dick, in the chapter that sorts the whales, as long as you come back.</p>
<p>A correspondent in Tromsø tells me that she keeps a shelf for the unfinished and goes to it in the dark months. “They are not failures,” she writes. “They are appointments.” I have nothing to add to that.</p>
<p>Until next month,<br>Ines</p>`,
  },
  {
    key: "mail-tidewatch-12",
    title: "Tidewatch: the week of the big springs",
    author: "Harbour Light",
    category: "email",
    location: "archive",
    source: "Reader Email",
    source_url: "https://mail.example.org/tidewatch/12",
    site_name: "Tidewatch",
    summary: "Equinox tides, a warning about the causeway, and where to see the wreck at low water.",
    tags: ["sea", "newsletter"],
    published_date: "2026-03-19",
    reading_progress: 1,
    saved_at: "2026-03-19T05:30:00Z",
    opened: "2026-03-19T06:15:00Z",
    html: `<p>Good morning from the harbour.</p>
<p>The equinox is on Friday, and with the new moon just behind us these are among the largest tides of the year. Around the equinoxes the sun stands over the equator and pulls most squarely along the line of the moon's bulge. The result is a very high high water, a very low low water, and fast streams between the two.</p>
<p><strong>If you use the causeway,</strong> note that it will be open for less time than you are used to. Leave the island at least two hours before the predicted high. The water comes over the middle first, where the road dips, and people who see it dry at both ends think that they are safe.</p>
<p><strong>If you like wrecks,</strong> the ribs of the old lugger show at the foot of the shingle for about forty minutes on either side of low water on Saturday. Wear boots and keep an eye on your way back. Please do not take the nails.</p>
<p><strong>Barometer:</strong> steady and high, which should take a few centimetres off the top. As a rule of thumb, the sea stands about one centimetre lower for each hectopascal above the average.</p>
<p>Fair winds.</p>`,
  },
  {
    key: "mail-indexers",
    title: "Society of Occasional Indexers: minutes and a puzzle",
    author: "The Secretary",
    category: "email",
    location: "later",
    source: "Reader Email",
    source_url: "https://mail.example.org/indexers/minutes",
    site_name: "Occasional Indexers",
    summary: "Minutes of a meeting about see-also references, which refer to one another.",
    tags: ["index", "humour", "newsletter"],
    published_date: null,
    reading_progress: 0,
    saved_at: "2026-05-27T13:00:00Z",
    html: `<p><strong>Present:</strong> eleven members, <em>see also</em> Apologies.<br><strong>Apologies:</strong> two, <em>see</em> Present.</p>
<p><strong>1. Matters arising.</strong> It was asked again whether the letter-by-letter or the word-by-word order is the more Christian. Word by word puts <em>New York</em> before <em>Newark</em>; letter by letter puts it after. The meeting divided along the usual lines and tea was brought forward.</p>
<p><strong>2. Strings of page numbers.</strong> Mrs Adeyemi showed a biography in which the entry for the subject's mother was followed by sixty-one page numbers and nothing else. She proposed that more than six undivided numbers be treated as an admission of defeat. Carried.</p>
<p><strong>3. Circular references.</strong> The Treasurer had found, in a cookery book, “Aubergine, <em>see</em> Eggplant; Eggplant, <em>see</em> Aubergine”. The recipe is on page 88. A letter of sympathy will be sent.</p>
<p><strong>4. Machines.</strong> A visitor demonstrated a program that makes an index in four seconds. It had entered every place where the word <em>grace</em> occurs, including the Duke's. Members agreed that it had made a very good concordance, and that an index says what a page is about even when the page does not.</p>
<p><strong>5. Puzzle.</strong> In which well-known novel does a scholar spend his life on notes for a key to everything, and leave his widow the index? Answers by post.</p>`,
  },
  {
    key: "mail-receipt",
    title: "Your library loan is due on 20 November",
    author: "Old Harbour Library",
    category: "email",
    location: "new",
    source: "Reader Email",
    source_url: "https://mail.example.org/library/loan-notice",
    site_name: "Old Harbour Library",
    summary: "Three items, one of them reserved by another reader.",
    tags: ["libraries"],
    published_date: 1794528000000,
    reading_progress: 0,
    saved_at: "2026-11-13T07:00:00Z",
    html: `<p>Dear member,</p>
<p>The following items on your card are due back on Friday, 20 November.</p>
<table><thead><tr><th>Title</th><th>Shelf mark</th><th>Renewals left</th></tr></thead>
<tbody><tr><td>A Short History of the Card Index</td><td>025.3 SHO</td><td>2</td></tr>
<tr><td>Tides of the Northern Seas, with Tables</td><td>551.46 TID</td><td>1</td></tr>
<tr><td>The Pocket Book of Knots</td><td>623.88 POC</td><td>none: reserved by another reader</td></tr></tbody></table>
<p>You may renew the first two at the desk, by telephone, or by replying to this letter with the word RENEW. The third is wanted by somebody else, and we would be glad of it a day or two early if you have finished with your knots.</p>
<p>A small note on the second item. A previous reader has left pencilled corrections in the tables for June. Our harbour master has checked them, and they are right. Please do not rub them out.</p>
<p>We no longer charge fines. People brought back more books when we stopped, and apologised less, and both of these have made the desk a pleasanter place to sit at.</p>
<p>The Old Harbour Library is open from ten to six, on Thursdays until nine. Children may borrow as many books as they can carry, and this includes the help of one adult.</p>`,
  },
  {
    key: "rss-harbour-fog",
    title: "Fog signals, and why we miss them",
    author: "Bram Okafor",
    category: "rss",
    location: "feed",
    source: "Reader RSS",
    source_url: "https://harbourlight.example.org/fog-signals",
    site_name: "Harbour Light",
    summary: "Satellites tell a ship where it is. The horn used to tell the village that somebody was out there.",
    tags: ["sea"],
    published_date: "2026-11-12",
    reading_progress: 0,
    saved_at: "2026-11-12T08:00:00Z",
    html: `<p>The horn on our point was switched off nine years ago, after a consultation to which four people replied. Ships know where they are from satellites, the letter said, and the horn needed a new compressor.</p>
<p>All of that is true. A fog signal was never a very good instrument. Sound bends in fog: it can skip over a ship at two miles and be heard at five, and a sailor who steered by loudness alone would sooner or later be wrong. Careful captains used the horn to know that there was a headland, and the lead line to learn how close.</p>
<p>But it worked in the other direction as well. On shore, in bed, one heard the long low note every ninety seconds and knew two things: that it was thick outside, and that somebody was awake on account of strangers. I have not found the second thing in any of the specifications, and I do not know what has replaced it.</p>
<p>The building is still there. In a westerly the wind crosses the mouth of the trumpet, and makes, very softly, a note about a third lower than the old one.</p>`,
  },
  {
    key: "rss-bench-paper",
    title: "Iron gall: the ink that eats its page",
    author: "Miriam Tan",
    category: "rss",
    location: "feed",
    source: "Reader RSS",
    source_url: "https://benchnotes.example.org/iron-gall",
    site_name: "Bench Notes",
    summary: "For more than a thousand years Europe wrote with a corrosive made from wasps, oaks and rust.",
    tags: ["science", "writing"],
    published_date: "2026-11-10",
    reading_progress: 0,
    saved_at: "2026-11-10T09:30:00Z",
    html: `<p>The recipe is short. Take oak galls, the hard round growths that a tree makes around the egg of a small wasp. Crush them, soak them in water or wine, add green vitriol, which we call iron sulphate, and thicken with gum arabic. The liquid is pale when it goes on. Within minutes the air turns it dark, within days it is black, and after that nothing will wash it out.</p>
<p>This permanence is why charters, scores, ledgers and love letters were written with it from late antiquity until the last century. It bites into the surface where older soot inks only sat upon it. And that is the trouble. A badly balanced batch leaves free acid and free iron in the page, and both go on working. Strokes turn brown, then spread, then drop out, until a page of music is a lace of holes in the shape of notes.</p>
<p>Treatment today takes away both culprits: a bath that binds the iron, and then an alkali against the acid. It needs water, and some manuscripts cannot bear water. For those the only medicine is a cold, dry, dark room, and not being looked at.</p>`,
  },
  {
    key: "rss-sturdy-csv",
    title: "The comma that cost a week",
    author: "Oke Brandvold",
    category: "rss",
    location: "feed",
    source: "Reader RSS",
    source_url: "https://sturdy.example.org/comma",
    site_name: "Sturdy Software",
    summary: "An export, an import, and a title with a comma in it.",
    tags: ["software"],
    published_date: 1793664000000,
    reading_progress: 0,
    saved_at: "2026-11-03T14:00:00Z",
    html: `<p>A library moved its catalogue last month from one program to another. The old one exported a file with commas between the fields. The new one imported it. Out of forty thousand books, thirty-eight thousand and some arrived. The rest arrived as well, but one column to the right.</p>
<p>You will have guessed it: titles with commas. Faced with <em>Frankenstein; or, The Modern Prometheus</em>, the importer saw two fields, made <em>The Modern Prometheus</em> the author, and shelved it under T. Mary Shelley became a publisher. For a week a whole row of classics could not be found by anybody who knew what they were called.</p>
<p>The fix took ten minutes, since the format has had a rule for this for decades: put the field in quotation marks, and double any such mark inside it. The week went into finding out. Nothing had failed. No message was shown. Each program had done what it thought was meant, and the sum was nonsense.</p>
<p>So here is the dull advice, once more. Count what goes in, count what comes out, and compare a handful of the strangest items by eye. Look at the longest title, the shortest, one in another alphabet, and one with every kind of punctuation. If those are right, the rest usually is.</p>`,
  },
  {
    key: "rss-quarto-errata",
    title: "Errata slips, collected",
    author: "Harriet Voss",
    category: "rss",
    location: "feed",
    source: "Reader RSS",
    source_url: "https://thequarto.example.org/errata",
    site_name: "The Quarto",
    summary: "The most honest page in any book is the one that was glued in afterwards.",
    tags: ["citation", "truth", "humour"],
    published_date: "2026-10-30",
    reading_progress: 0,
    saved_at: "2026-10-30T07:45:00Z",
    html: `<p>I collect errata slips. They are small, they are cheap, and nobody else wants them. A slip is printed when the book is finished and somebody has read it properly for the first time. It is tipped in at the front, and says: on page 112, for <em>immortal</em> read <em>immoral</em>.</p>
<p>Some are longer than others. I have one that corrects the index of a book on accuracy. I have one that corrects an earlier slip. I have one, from a manual of mountain walking, which says only: “Page 64, line 3. For <em>left</em> read <em>right</em>.”</p>
<p>What I like in them is the tone. There is no apology, no account of how it came about, no assurance that the matter is taken seriously. There is the place, there is what stands there, and there is what should. It is the tone of people who think that the reader would rather have the truth than an explanation.</p>
<p>Web pages could have errata slips too. Most of them are corrected silently instead, and one is left to wonder whether one's memory is going. When this page is wrong I shall say so here, at the foot, with the date.</p>`,
  },
  {
    key: "rss-letterforms-ampersand",
    title: "& another thing: a short life of the ampersand",
    author: "Noa Feld",
    category: "rss",
    location: "feed",
    source: "Reader RSS",
    source_url: "https://letterforms.example.org/ampersand?lang=en&size=large",
    site_name: "Letterforms",
    summary: "Two Latin letters that ran into one another and were counted, for a while, as the last of the alphabet.",
    tags: ["typography"],
    published_date: "2026-10-17",
    reading_progress: 0.05,
    saved_at: "2026-10-17T10:20:00Z",
    opened: "2026-10-18T08:00:00Z",
    html: `<p>Look closely at the &amp; of an italic fount and you can still see them: a capital E, leaning, and a small t hanging on to its arm. Together they spell <em>et</em>, the Latin for <em>and</em>. A hasty writer had joined them on a wall in Pompeii before the mountain buried it, and they have never been separated since.</p>
<p>In English schools the sign used to be recited at the end of the alphabet. Children said “X, Y, Z, and, <em>per se</em>, and”, meaning: and the sign which by itself is the word <em>and</em>. Say that quickly for fifty years and you have <em>ampersand</em>, a word that dictionaries took in during the nineteenth century without asking where it came from.</p>
<p>Programmers gave it a second life as a gatekeeper. In a web page it announces that what follows is a name for a character and not the character itself: &amp;lt; for a less-than sign, and, to write about it at all, &amp;amp; for itself. A sign that began as two letters too lazy to stay apart now needs five to be written safely.</p>`,
  },
  {
    key: "rss-slowdesk-margins",
    title: "Reading aloud to a cat",
    author: "Tobias Renn",
    category: "rss",
    location: "archive",
    source: "Reader RSS",
    source_url: "https://slowdesk.example.org/cat",
    site_name: "The Slow Desk",
    summary: "Field notes from eleven evenings. The subject prefers long vowels.",
    tags: ["reading", "humour"],
    published_date: "2025-07-25",
    reading_progress: 1,
    saved_at: "2025-07-25T06:00:00Z",
    opened: "2025-07-25T06:30:00Z",
    html: `<p>Silent reading is the newcomer. For most of history a text was something to be sounded, and a reader alone in a room could be heard through the door. I wanted to know what the voice adds, and lacked an audience, so I read to the cat.</p>
<p><strong>Evenings one to three.</strong> Philosophy. The subject left during the second paragraph, each time at a semicolon.</p>
<p><strong>Evenings four to six.</strong> Verse, with long vowels. The subject stayed, turned one ear, and slept. I found that I could not read badly made lines aloud. The mouth refuses what the eye forgives.</p>
<p><strong>Evenings seven to nine.</strong> A novel, all voices. The subject watched the door when a character knocked. I noticed jokes I had passed over twice in silence. They are in the pauses.</p>
<p><strong>Evening ten.</strong> My own work. The subject was sick on the rug.</p>
<p><strong>Evening eleven.</strong> Montaigne, the passage on whether he amuses his cat or she amuses him. We looked at each other for some time.</p>
<p>Conclusion: reading aloud is slower by half and remembers twice as much. I intend to go on with it as soon as she will have me back.</p>`,
  },
]);
