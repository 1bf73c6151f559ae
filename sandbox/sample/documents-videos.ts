import { counted } from "./counted.js";

/** Videos and a podcast, with their transcripts; some of them with times, in the ways that captions write them. */
export const videos = counted([
  {
    key: "video-bookwheel",
    title: "Building Ramelli's Bookwheel in a Garage",
    author: "Workshop Hours",
    category: "video",
    location: "shortlist",
    source: "reader-web-app",
    source_url: "https://video.example.org/watch?v=bookwheel-1588",
    site_name: "Workshop Hours",
    summary: "Twelve shelves, a set of planetary gears, and the question why nobody's book falls off.",
    tags: ["machines", "reading", "video"],
    published_date: "2025-10-12",
    seconds: 189,
    reading_progress: 0.45,
    saved_at: "2026-06-07T14:00:00Z",
    opened: "2026-06-07T20:00:00Z",
    highlights: [
      {
        text: "Ramelli did not need the gears. A weight under each shelf would have done it.",
        note: "Showing off in oak. Check in the 1588 plate.",
        tags: ["machines"],
      },
    ],
    html: `<p>[00:00] This is a machine for people who cannot close a book. It was drawn by the Italian engineer Agostino Ramelli, and published in Paris in 1588, in a collection of one hundred and ninety-five machines. Most of the others raise water. This one raises reading.</p>
<p>[00:24] You sit in front of it as you would at a water wheel. Each of these slanted shelves holds one open book. You turn the wheel with your hand, the next book comes down to you, and the one you were reading goes up over the top and down behind.</p>
<p>[00:52] The obvious question is why the books do not fall off on the way. Every shelf has to keep the same slope while the wheel turns. A ferris wheel lets its cabins hang, and gravity does the work. Ramelli used gears: one fixed wheel at the centre, and around it smaller wheels that roll, so that each shelf turns backwards exactly as far as the frame turns forwards.</p>
<p>[01:35] Clockmakers call that an epicyclic train. We cut ours from birch plywood, because oak was out of budget. Here you see the first test, with telephone directories. And here you see the second test, after we had counted the teeth again.</p>
<p>[02:10] Now the confession. Ramelli did not need the gears. A weight under each shelf would have done it. He put in the gears, I think, because he could, and because a man who has drawn a hundred pumps wants to draw something beautiful.</p>
<p>[02:41] What is it like to use? Quieter than I thought. And the books stay where you left them, that is the real thing. You go away for a page and come back, and it is still open at the line. I have forty tabs in my browser and not one of them feels like that.</p>`,
  },
  {
    key: "video-tides",
    title: "Why There Are Two Tides a Day",
    author: "Plain Science",
    category: "video",
    location: "later",
    source: "reader-mobile-app",
    source_url: "https://video.example.org/watch?v=two-tides",
    site_name: "Plain Science",
    summary: "The moon pulls the sea towards it. So why is the water high on the other side as well?",
    tags: ["sea", "science", "video"],
    published_date: "2024-09-01",
    seconds: 171,
    reading_progress: 0,
    saved_at: "2026-04-18T10:00:00Z",
    html: `<p><span>0:00</span> If the moon pulls the sea up, there should be one high tide a day, on the side under the moon. Go to almost any beach and you can count two. Where does the second one come from?</p>
<p><span>0:19</span> The trick is that the moon does not only pull on the sea. It pulls on the whole earth. And it pulls harder on what is near than on what is far.</p>
<p><span>0:34</span> So take three things in a row: the water on the near side, the solid earth in the middle, the water on the far side. The near water is pulled most, the earth less, the far water least. Seen from the earth, the near water runs ahead towards the moon, and the far water is left behind. Two bulges, one on each side.</p>
<p><span>1:05</span> Now turn the earth underneath. In a little over a day, every shore passes through both bulges. A little over, because the moon has moved on meanwhile: twenty-four hours and fifty minutes.</p>
<p><span>1:27</span> What matters is therefore not how strong the pull is but how much it changes from one side of the earth to the other. That is why the moon wins. The sun pulls on us far more strongly, but it is so distant that its pull hardly differs from side to side. Its tide is a bit less than half of the moon's.</p>
<p><span>1:58</span> I have to be honest about one thing. The bulges are a picture of the force, and real oceans do not have time to follow it. Continents are in the way. The water sloshes round its basins like tea in a carried cup, and that is why some places have tides of twelve metres and others next to none.</p>`,
  },
  {
    key: "video-memory-palace",
    title: "I Furnished a Memory Palace with My Grandmother's Flat",
    author: "Leila Nouri",
    category: "video",
    location: "new",
    source: "reader-web-app",
    source_url: "https://video.example.org/watch?v=memory-flat",
    site_name: "Leila Nouri",
    summary: "Thirty days of the oldest memory technique there is, with results and one side effect.",
    tags: ["memory", "video"],
    published_date: 1788220800000,
    seconds: 124,
    reading_progress: 0,
    saved_at: "2026-09-12T17:30:00Z",
    html: `<p><span data-rw-start="0.00" data-rw-transcript-version="2">The method is usually told with a disaster.</span> <span data-rw-start="3.36" data-rw-transcript-version="2">The poet Simonides was called out of a banquet, the roof fell in behind him, and nobody could tell the dead apart.</span> <span data-rw-start="12.60" data-rw-transcript-version="2">But Simonides could, because he remembered who had been sitting where.</span> <span data-rw-start="17.22" data-rw-transcript-version="2">Cicero tells it, about four hundred years after the fact, so take it as a story.</span></p>
<p><span data-rw-start="23.94" data-rw-transcript-version="2">The idea behind it is not a story.</span> <span data-rw-start="27.30" data-rw-transcript-version="2">We are bad at lists and good at places.</span> <span data-rw-start="31.08" data-rw-transcript-version="2">So you take a place you know, walk through it in your mind, always in the same order, and leave at every station one thing you want to remember.</span> <span data-rw-start="43.26" data-rw-transcript-version="2">The stranger the better.</span> <span data-rw-start="45.26" data-rw-transcript-version="2">Then you walk again and pick them up.</span></p>
<p><span data-rw-start="48.62" data-rw-transcript-version="2">I took my grandmother's flat in Shiraz, where I spent every summer until I was twelve.</span> <span data-rw-start="55.34" data-rw-transcript-version="2">Door, shoe rack, the telephone on its little table, the kitchen with the blue jar.</span> <span data-rw-start="61.64" data-rw-transcript-version="2">Forty stations.</span> <span data-rw-start="63.64" data-rw-transcript-version="2">For thirty days I put things there: the kings of a country I do not live in, the order of the planets' moons, a poem each week.</span></p>
<p><span data-rw-start="74.98" data-rw-transcript-version="2">Results.</span> <span data-rw-start="76.98" data-rw-transcript-version="2">On day one I could give back eleven items of forty.</span> <span data-rw-start="81.60" data-rw-transcript-version="2">On day thirty it was thirty-eight, and I could start from any room and go backwards.</span></p>
<p><span data-rw-start="88.32" data-rw-transcript-version="2">The side effect is what I did not expect.</span> <span data-rw-start="92.10" data-rw-transcript-version="2">I had not thought about that flat for years.</span> <span data-rw-start="95.88" data-rw-transcript-version="2">Now I know again which step creaked.</span> <span data-rw-start="98.82" data-rw-transcript-version="2">I had gone there to store some kings, and what I got back was the flat.</span></p>`,
  },
  {
    key: "video-card-catalogue",
    title: "Inside a Card Catalogue (no talking until 2:05)",
    author: "Old Harbour Library",
    category: "video",
    location: "archive",
    source: "reader-web-app",
    source_url: "https://video.example.org/watch?v=card-catalogue",
    site_name: "Old Harbour Library",
    summary: "A drawer is opened, a rod is pulled, and a librarian explains what the punched hole is for.",
    tags: ["libraries", "index", "video"],
    published_date: "2023-06-30",
    seconds: 278,
    reading_progress: 1,
    saved_at: "2023-11-11T11:11:00Z",
    opened: "2023-11-12T09:00:00Z",
    highlights: [
      { text: "A catalogue card is a very small argument about what a book is.", tags: ["libraries", "index"] },
    ],
    html: `<p>00:00:00.000 --&gt; 00:02:05.000<br>[drawers, footsteps, rain on a skylight]</p>
<p>00:02:05.000 --&gt; 00:02:31.000<br>People come in to hear that sound. It is the rod. There is a brass rod through the foot of every drawer, and a hole in every card, so that nobody can take one out. To add a card you undo the rod, and for that you need a librarian.</p>
<p>00:02:31.000 --&gt; 00:03:02.000<br>The size is the same all over the world, seven and a half centimetres by twelve and a half. Melvil Dewey's company sold the cabinets, and then everybody's cards had to fit. It is one of the first standards that nobody noticed.</p>
<p>00:03:02.000 --&gt; 00:03:40.000<br>Now look at a card. Author here, title here, and at the top left the shelf mark. At the foot, what we call tracings: the list of all the other drawers in which this same book has a card. If the book is lost, you have to go and pull every one of them.</p>
<p>00:03:40.000 --&gt; 00:04:15.000<br>A catalogue card is a very small argument about what a book is. Is it about boats, or about Norway? You may have three cards. Somebody decided. We can generally tell who, by the handwriting; library hand was taught, so that all librarians would look alike, and they never quite did.</p>
<p>00:04:15.000 --&gt; 00:04:38.000<br>The computer has had the catalogue since 1994. It is better in every way. But it does not show you the card before and the card after, and that is where I found most of what I know.</p>`,
  },
  {
    key: "video-lovelace",
    title: "What Ada Lovelace Did and Did Not Write",
    author: "Plain Science",
    category: "video",
    location: "later",
    source: "reader-web-app",
    source_url: "https://video.example.org/watch?v=note-g",
    site_name: "Plain Science",
    summary: "A careful look at Note G, the table of operations, and the machine that was never built.",
    tags: ["machines", "science", "video"],
    published_date: "2025-12-10",
    seconds: 182,
    reading_progress: 0.3,
    saved_at: "2026-02-02T18:00:00Z",
    opened: "2026-02-03T19:00:00Z",
    html: `<p>(0:00) In 1843 a translation appeared in a London journal. The paper was by an Italian engineer, Luigi Menabrea, and it described a machine by Charles Babbage. The translator had added notes, signed A.A.L. The notes are about three times as long as the paper.</p>
<p>(0:31) You will hear two legends about them. One says that Ada Lovelace was the first programmer. The other says that she was a hanger-on, and Babbage did it all. Let us look at what is on the page.</p>
<p>(0:55) Note G contains a large table. It sets out, operation by operation, how the Analytical Engine would compute Bernoulli numbers: which variable goes in, what is done, where the result is kept, and where a group of steps is to be repeated. We would call it a trace of a program. Babbage had written smaller ones before, and he later said that he had helped with the algebra of this one. He also said that she had found a serious mistake in his part.</p>
<p>(1:48) What nobody disputes is the prose around it. Babbage wanted a machine for tables of numbers. She asked what a number might stand for. If the relations between musical notes could be put in that form, she wrote, the engine might compose.</p>
<p>(2:20) And in the same notes she warns against expecting too much. The engine does what we know how to order it to do. Both halves are hers: how far it could go, and where it would stop.</p>
<p>(2:44) The machine was never completed. The table has since been run on modern computers, and works, once a misprint in one line has been put right.</p>`,
  },
  {
    key: "podcast-second-shelf",
    title: "The Second Shelf, episode 18: The people who mark books",
    author: "Dara Quill and Bram Okafor",
    category: "podcast",
    location: "later",
    source: "reader-mobile-app",
    source_url: "https://secondshelf.example.org/episodes/18",
    site_name: "The Second Shelf",
    summary: "A bookseller, a forger and a child with crayons: three ways of writing in what is not yours.",
    tags: ["reading", "notes", "podcast"],
    published_date: "2026-01-23",
    seconds: 1860,
    reading_progress: 0.55,
    saved_at: "2026-01-24T07:00:00Z",
    opened: "2026-01-25T07:30:00Z",
    highlights: [
      {
        text: "A clean second-hand book is a conversation in which the other person has left no trace of having listened.",
        note: "Dara, near the beginning.",
        tags: ["reading", "notes"],
      },
      { text: "You date a reader by the pen.", tags: ["notes", "memory"] },
    ],
    html: `<p><strong>Dara:</strong> Let me start with a complaint. The catalogue says: “fine copy, unmarked”. As though that were a good thing! A clean second-hand book is a conversation in which the other person has left no trace of having listened.</p>
<p><strong>Bram:</strong> I sell those books, and I can tell you that unmarked goes for twice the price. Unless the marks are by someone famous. Then it goes for a hundred times.</p>
<p><strong>Dara:</strong> So we do want the marks. We just want to know whose.</p>
<p><strong>Bram:</strong> You date a reader by the pen. Steel nib, before the first war, roughly. Purple copying pencil, an office. Felt tip, somebody revising for an examination in 1975, in tears. Yellow highlighter on every line, the same examination ten years later.</p>
<p><strong>Dara:</strong> There is a theory in that. When everything is marked, nothing is.</p>
<p><strong>Bram:</strong> My favourite is a cookery book. On one page there is only a date, and “his last birthday. Too much salt.” I have never been able to sell it. I mean I have never been able to let it go.</p>
<p><strong>Dara:</strong> And the forger?</p>
<p><strong>Bram:</strong> He added notes by a poet to an ordinary school Virgil. The hand was perfect. What gave him away was the reading. He only ever marked the famous lines. A real reader marks the wrong ones.</p>
<p><strong>Dara:</strong> A real reader marks the wrong ones. We should put that on a pencil.</p>`,
  },
]);
