import { counted } from "./counted.js";

/** Uploaded papers and books, and short posts. */
export const files = counted([
  {
    key: "pdf-reading-rooms",
    title: "Light, Noise and Seating in Twelve Reading Rooms: A Working Note",
    author: "A. Lindqvist",
    category: "pdf",
    location: "later",
    source: "File Upload",
    source_url: "https://files.example.org/reading-rooms.pdf",
    site_name: "Sample papers",
    summary: "A fictional field study, written for this library: where people sit when they may sit anywhere.",
    tags: ["libraries", "attention", "paper"],
    published_date: "2021-05-01",
    reading_progress: 0.4,
    saved_at: "2025-10-30T09:00:00Z",
    opened: "2025-11-01T10:00:00Z",
    highlights: [
      {
        text: "The first seat to be taken was in no case the quietest one. It was the one with a wall behind it and a window to the left.",
        note: "p. 3",
        tags: ["libraries"],
      },
    ],
    html: `<h1>Light, Noise and Seating in Twelve Reading Rooms</h1>
<p><em>This paper is invented. It was written as sample material and reports no real measurements.</em></p>
<h2>1. Question</h2>
<p>Librarians are asked for more quiet and readers choose seats for other reasons. We wanted to see which. In twelve imaginary reading rooms we therefore noted, at opening time on ten days, the order in which the seats were taken.</p>
<h2>2. Method</h2>
<p>Rooms had between twenty-two and one hundred and sixty seats. For each seat we recorded daylight at the desk, sound level over a minute, the distance to the next seat, and whether the sitter's back was to a wall. Two observers agreed on ninety-four seats in a hundred; the remaining ones were cushions.</p>
<h2>3. Findings</h2>
<p>The first seat to be taken was in no case the quietest one. It was the one with a wall behind it and a window to the left. Right-handed sitters preferred light from the left by three to one. When all the wall seats were gone, readers filled the corners of the large tables, then the sides, and only at the end the middle.</p>
<p>Noise mattered less than its kind. A steady sound, such as rain or a ventilator, moved nobody. A conversation in a language the reader understood emptied the seats around it within eight minutes; one in an unknown language took twenty-five.</p>
<h2>4. Limits</h2>
<p>The rooms do not exist. The authors believe that the findings would be interesting if they did, and invite replication.</p>`,
  },
  {
    key: "pdf-index-cost",
    title: "What Does It Cost Not to Have an Index?",
    author: "P. Adeyemi and R. Holm",
    category: "pdf",
    location: "shortlist",
    source: "File Upload",
    source_url: "https://files.example.org/cost-of-no-index.pdf",
    site_name: "Sample papers",
    summary: "A short invented paper with a back-of-the-envelope model of time lost in looking things up.",
    tags: ["index", "paper"],
    published_date: "2019-11-15",
    reading_progress: 0.9,
    saved_at: "2025-06-14T13:20:00Z",
    opened: "2025-06-15T13:20:00Z",
    highlights: [
      {
        text: "An index is paid for once, by one person, and saves time for everybody else for ever.",
        tags: ["index"],
      },
      {
        text: "The reader who does not find a passage does not know that it was there.",
        note: "The invisible cost.",
        tags: ["index", "memory"],
      },
    ],
    html: `<h1>What Does It Cost Not to Have an Index?</h1>
<p><em>Sample material. The model is real arithmetic on made-up numbers.</em></p>
<h2>Abstract</h2>
<p>We estimate the time lost by readers of a reference book of four hundred pages without an index. On modest assumptions it exceeds the time needed for making one after the ninth reader.</p>
<h2>The model</h2>
<p>Suppose that a skilled indexer does eight pages an hour. Four hundred pages then take fifty hours. Suppose a reader who consults the book needs twenty look-ups in the course of its life. With an index a look-up takes one minute. Without one it takes, let us say, eighteen: the table of contents, a guess, leafing, a second guess, and sometimes giving up. The difference is seventeen minutes, and over twenty look-ups five hours and forty minutes. Nine readers lose fifty-one hours, which is more than the fifty the indexer would have taken.</p>
<p>An index is paid for once, by one person, and saves time for everybody else for ever. That the two parties never meet explains why so many indexes are missing.</p>
<h2>What the model leaves out</h2>
<p>Giving up is counted here as a long look-up. It is something else. The reader who does not find a passage does not know that it was there. He goes away and believes that the book is silent on his question. We know of no way to price this, and suspect that it is the larger part.</p>
<h2>Full-text search</h2>
<p>Search answers the question “where does this word stand?” in no time. An index answers “where is this discussed?”. The first needs the right word. The second supplies it.</p>`,
  },
  {
    key: "pdf-scan-manual",
    title: "Scanning at the Kitchen Table: A Manual",
    author: "Old Harbour Library",
    category: "pdf",
    location: "archive",
    source: "File Upload",
    source_url: "https://files.example.org/scanning-manual.pdf",
    site_name: "Old Harbour Library",
    summary: "How to digitise a family archive with a telephone, two lamps and patience.",
    tags: ["libraries", "method"],
    published_date: "2022-01-10",
    reading_progress: 1,
    saved_at: "2024-01-07T15:00:00Z",
    opened: "2024-01-07T15:05:00Z",
    html: `<h1>Scanning at the Kitchen Table</h1>
<h2>Before you begin</h2>
<p>Wash your hands and dry them well. Leave the cotton gloves to films: clean fingers feel when a page is about to tear, and gloves do not. Put the tea somewhere else.</p>
<h2>Light</h2>
<p>Use two lamps of the same kind, one on each side, at about forty-five degrees. One lamp gives shadows; a flash gives a white hole in the middle of anything glossy. Switch off the ceiling light, which has another colour.</p>
<h2>The camera</h2>
<p>A telephone is good enough. Fix it flat above the table: a pile of books and a ruler will do. The back of the telephone must be parallel to the page, or straight lines will lean. Photograph a ruler beside the first page, so that somebody can later tell how large the thing was.</p>
<h2>Order</h2>
<p>Photograph everything, including the blank pages, the envelope, and the back of the photograph. The back is where the names are. Number the files in the order in which the things lay in the box, because the order is information: someone put those two letters together.</p>
<h2>Words</h2>
<p>Write a text file for each box with who, where, when, and how you know. A scan without a name is a picture of a stranger. Ask the oldest person in the family this month.</p>
<h2>Three copies</h2>
<p>Keep three copies, on two different kinds of thing, with one of them in another house. Then open one of them once a year, to see whether it still opens.</p>`,
  },
  {
    key: "epub-lighthouse",
    title: "The Keeper's Daybook (sample chapter)",
    author: "Wren Halloran",
    category: "epub",
    location: "later",
    source: "File Upload",
    source_url: "https://files.example.org/keepers-daybook.epub",
    site_name: "Bookwheel sample texts",
    summary: "The opening of an unwritten novel: a lighthouse keeper finds the previous keeper's index.",
    tags: ["fiction", "sea"],
    published_date: null,
    reading_progress: 0.15,
    saved_at: "2025-12-24T18:00:00Z",
    opened: "2025-12-26T11:00:00Z",
    highlights: [
      { text: "Storms, see also Letters not sent.", note: "That is the whole novel.", tags: ["sea", "index"] },
    ],
    html: `<h1>One: The Index</h1>
<p>They had told Maud that the last keeper left nothing behind, and this was nearly so. There was the coat, which nobody would have wanted. There was a kettle with a wooden handle. And there was the shelf of daybooks, forty-one of them, one for each year, bound in the grey cloth that the Board sent out with the oil.</p>
<p>She did not read them at first. A daybook is a record of wind. On the fourth night, when the fog had settled in and the horn was going, she took down the last one to keep her eyes open, and it fell apart in her hands at the back, where there were pages in another ink.</p>
<p>It was an index. He had made it for all the forty-one years, in a hand that grew smaller towards the foot of each page. <em>Auks. Barometer, low of the century. Bread. Brother, visit of.</em> He had put in everything. Under <em>Ships</em> there were four columns of names, and beside some of them a small cross. Under <em>Silence</em> there was a single date.</p>
<p>She turned to S, for no reason, and ran her finger down. <em>Storms, see also Letters not sent.</em></p>
<p>The horn sounded. She counted to ninety, as she had been taught, and it sounded again. Then she turned to L.</p>`,
  },
  {
    key: "epub-natural-history-desk",
    title: "A Natural History of My Desk",
    author: "Tobias Renn",
    category: "epub",
    location: "archive",
    source: "File Upload",
    source_url: "https://files.example.org/natural-history-of-my-desk.epub",
    site_name: "Bookwheel sample texts",
    summary: "Field observations on paper, clips and cups, in the manner of an eighteenth-century parson.",
    tags: ["essays", "humour", "nature"],
    published_date: "2020-02-29",
    reading_progress: 1,
    saved_at: "2023-12-03T20:00:00Z",
    opened: "2023-12-04T20:00:00Z",
    html: `<h1>Letter the First</h1>
<p>Sir, you ask for an account of the productions of my desk, and I will attempt it, though I have lived beside it for only nineteen years and can speak with confidence of the upper strata alone.</p>
<p>The surface measures some five feet by three, and is of a warm brown wherever it can be seen. The prevailing formation is paper, deposited in horizontal layers, of which the lower are plainly the older: I have reached the year before last by means of a ruler, and beneath it a railway ticket that I cannot date. Faults occur where a cup has been set down.</p>
<p>Of animals, the paper clip is the commonest. It is gregarious, and hangs in chains. Where it goes in winter I have not been able to discover; some hold that it hibernates in the lining of coats. The pencil is seen chiefly at dawn. The eraser is solitary and grows smaller with age, contrary to the general rule of nature.</p>
<p>On the fourteenth of March I observed the first bill of the season. It was followed within the week by several more, which roosted on the lamp.</p>
<p>I have kept a register of the height of the papers, measured every Sunday against the inkwell. It rises through the autumn, stands highest about Christmas, and falls suddenly on a single day in January, of which my housekeeper could tell you more than I. I remain, &amp;c.</p>`,
  },
  {
    key: "epub-knots",
    title: "Nine Knots for Landlubbers",
    author: "Bram Okafor",
    category: "epub",
    location: "new",
    source: "File Upload",
    source_url: "https://files.example.org/nine-knots.epub",
    site_name: "Bookwheel sample texts",
    summary: "Three of the nine, with what each is for and how it fails.",
    tags: ["sea", "method"],
    published_date: "2025-04-02",
    reading_progress: 0,
    saved_at: "2026-10-25T16:00:00Z",
    html: `<h1>Preface</h1>
<p>A knot is a promise made by friction. Every one of them makes the rope weaker than it was, and the art is to choose which weakness one can live with. I give for each knot what it is for, how to tie it, and how it fails, because the last is what you will want to know at night.</p>
<h1>1. The bowline</h1>
<p>It makes a loop that does not slip and does not jam. Form a small eye in the standing part, bring the end up through it, round behind the standing part, and back down through the eye. Children learn it as a rabbit, a tree and a hole. It fails when it is shaken without a load on it: a bowline that hangs slack in the wind can work itself loose.</p>
<h1>2. The clove hitch</h1>
<p>Two turns round a post, the second crossing over the first with the end tucked beneath. It is quick to make, quick to adjust, and good for fenders. It fails if the post can turn, or if the pull comes now from one side and now from the other.</p>
<h1>3. The reef knot</h1>
<p>Right over left, left over right. It is for tying a bundle or a parcel, and for reefing a sail, as the name says. It is not for joining two ropes. People have trusted it with that and been wrong only once.</p>`,
  },
  {
    key: "tweet-index",
    title: "On the shortest index entry",
    author: "@occasionalindex",
    category: "tweet",
    location: "archive",
    source: "Reader tweet",
    source_url: "https://social.example.org/occasionalindex/status/1001",
    site_name: "social.example.org",
    summary: "A thread of six on index entries that tell a story.",
    tags: ["index", "humour"],
    published_date: "2024-05-09",
    reading_progress: 1,
    saved_at: "2024-05-09T21:00:00Z",
    opened: "2024-05-09T21:01:00Z",
    highlights: [{ text: "“Regrets, passim.” I have been laughing at this for an hour.", tags: ["humour", "index"] }],
    html: `<p>1/ The best fiction I read this year was in indexes. A short thread 🧵 of entries that we have come across or made up, and we will not say which.</p>
<p>2/ “Cat, author's: 3; destroys chapter two, 41; returns, 44; <em>see also</em> Chapter two, absence of.”</p>
<p>3/ “Marriage, happy: 12. Marriage, unhappy: 13–288.” You do not need the book after that. You might like to meet the indexer, though, and perhaps take her to lunch.</p>
<p>4/ “Bridge, collapse of: <em>see</em> Engineer, confidence of.” A whole report in seven words, and the only place in it where somebody is named.</p>
<p>5/ From a military memoir: “Retreats, <em>see</em> Strategic movements.” And under the second, with no page number whatever: “<em>see</em> Retreats.” The general had read the proofs of the chapters but not the back pages. Nobody ever does, and that is where one should hide.</p>
<p>6/ And the shortest, from an otherwise cheerful autobiography. “Regrets, passim.” I have been laughing at this for an hour. Now I am not so sure that it is funny. Good night, and do look at the back of whatever you are reading. 📖</p>`,
  },
  {
    key: "tweet-tide-clock",
    title: "A clock with one hand",
    author: "@harbourlight",
    category: "tweet",
    location: "new",
    source: "Reader tweet",
    source_url: "https://social.example.org/harbourlight/status/2002",
    site_name: "social.example.org",
    summary: "How a tide clock works and why it is always a little wrong.",
    tags: ["sea", "machines"],
    published_date: 1790812800000,
    reading_progress: 0,
    saved_at: "2026-10-01T19:30:00Z",
    html: `<p>A visitor asked why the clock in our window has only one hand and no numbers, just HIGH at the top and LOW at the bottom. 🌊 It is a tide clock. The hand goes round once in twelve hours and twenty-five minutes, which is half of a lunar day, instead of twelve hours.</p>
<p>It knows nothing of the sea. It is an ordinary movement with slightly different gears, and it is set once, at high water on the day of a full or a new moon, and after that it simply trusts the moon.</p>
<p>It is always a little wrong. The moon's path is not a circle and the sun joins in, so that real high water runs ahead of the hand or behind it by up to half an hour or so in the course of the month. Every few weeks one of us reaches into the window and moves the hand. That is also how we keep our other clocks.</p>
<p>If you want to know whether you can cross the causeway, read the table. If you want to know whether to put the kettle on before the boats come in, the clock is fine. Most of the questions in a day are of the second kind, and it does one good to own an instrument that admits to it. ⚓</p>`,
  },
  {
    key: "tweet-highlighter",
    title: "Confession of a highlighter",
    author: "@slowdesk",
    category: "tweet",
    location: "later",
    source: "Reader tweet",
    source_url: "https://social.example.org/slowdesk/status/3003",
    site_name: "social.example.org",
    summary: "Counting one's own highlights, with an uncomfortable result.",
    tags: ["notes", "reading", "habit"],
    published_date: "2026-06-21",
    reading_progress: 0.5,
    saved_at: "2026-06-22T06:40:00Z",
    opened: "2026-06-22T06:41:00Z",
    highlights: [
      {
        text: "I had mostly highlighted sentences I already agreed with.",
        note: "Same here. Try marking only what surprises.",
        tags: ["notes", "self"],
      },
    ],
    html: `<p>I went through a year of my highlights last night, some nine hundred of them, and sorted them into heaps. It was meant to take twenty minutes and to make me feel learned.</p>
<p>The result: I had mostly highlighted sentences I already agreed with. Six in ten said, in better words, what I had believed before I opened the book. Two in ten were pretty. One in ten I could not explain at all; I must have been a different person on that train.</p>
<p>The last tenth were the good ones. They were facts I did not know, or sentences that annoyed me so much that I had marked them in order to argue with them later, and then of course never argued.</p>
<p>New rule, since this morning. Mark only what surprises you, and write three words beside it on why. If you cannot find the three words, you were not surprised, you were flattered. 😬</p>
<p>So far today: forty pages, one highlight, and I can remember it.</p>`,
  },
  {
    key: "tweet-bookmark",
    title: "Things found in returned books",
    author: "@oldharbourlibrary",
    category: "tweet",
    location: "shortlist",
    source: "Reader tweet",
    source_url: "https://social.example.org/oldharbourlibrary/status/4004",
    site_name: "social.example.org",
    summary: "The annual list, from the desk of a small library.",
    tags: ["libraries", "humour"],
    published_date: "2025-12-31",
    reading_progress: 1,
    saved_at: "2026-01-01T12:00:00Z",
    opened: "2026-01-01T12:01:00Z",
    html: `<p>Our yearly list of what came back between the pages 📚🔖. All items can be claimed at the desk, no questions asked, or only one.</p>
<p>Tram tickets, 61, one of them for a line that closed in 1968. Pressed flowers, 14. Shopping lists, 33, of which the best reads in full: “eggs, string, apologise”. A photograph of a dog in a hat. A photograph of the same dog, older, without the hat.</p>
<p>A strip of bacon, cooked. We have this every year and have stopped wondering. A knitting needle that somebody must be missing badly. A five-pound note inside a book on thrift.</p>
<p>A letter beginning “Dear Anna, by the time you find this”, in a book which had not been borrowed for eleven years. We have looked for Anna in the register of readers. There are four of them, and we have written to all.</p>
<p>And a slip of paper, in a child's hand, in the last chapter of a very sad novel: “It is all right. I read the next one. The dog is in it.” We have left that where it was. Happy new year. 🎆</p>`,
  },
]);
