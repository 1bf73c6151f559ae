import { essay } from "./project-essay.js";

export const essaysOnReading = [
  essay({
    slug: "margins-and-answers",
    title: "Margins and Answers",
    author: { family: "Marlowe", given: "Ines" },
    issued: [2025, 3],
    pages: "1-6",
    tags: ["reading", "notes"],
    text: `A person who writes in a book is taking part in the oldest form of correspondence that needs no post. The author speaks first, at length, and cannot be interrupted. The reader answers in the white space at the side, briefly, and cannot be heard. It sounds like an unequal exchange, and yet it is the one in which most people have learned to think.

## Three kinds of mark

Marks in books fall into three kinds, and it is worth knowing which one is making.

The first kind is the pointer. A line under a phrase, a stroke beside a paragraph, a little hand with a long finger such as scribes used to draw: all of them say only, look here. A pointer is quick and costs nothing. For the same reason it says nothing. A year later the reader finds the stroke, reads the paragraph, and has to work out again what was remarkable about it.

The second kind is the label. A word in the margin, *tides* or *cf. Bacon* or *example*, says what the passage is about or where it belongs. Labels turn a book into something that can be searched with the eye. A reader who labels every third page has made an index, spread out along the edges.

The third kind is the reply. It has a verb in it. *But he said the opposite in chapter two. Who counted? Not true of my mother.* A reply is a sentence that could be wrong, and this is its great merit. A pointer cannot be wrong, and a label hardly, but a reply commits the reader to something and so gives her something to change her mind about.

## Why so few of us reply

If replies are the best kind, one would expect to see more of them. In the second-hand books I have looked through, pointers are by far the most common, labels come a distant second, and replies are so rare that finding one feels like overhearing a voice.

Part of the reason is room. A modern page leaves a margin as wide as a thumb, and a thumb's width invites a stroke, not a sentence. Part of it is respect. We were told as children not to write in books, and those who break the rule break it quietly. But the chief reason is speed. To underline takes no longer than to read. To reply one must stop, and stopping feels like a failure to get on.

It is the other way round. A page to which the reader has replied is finished, in the sense in which a letter is finished when it has been answered. A page that has been merely underlined is a letter put back in its envelope with a note saying *important*.

## On screens

The electronic page made pointing easier than ever. A thumb drawn along a line leaves it yellow. Nothing else changed: the label needs a menu, the reply needs a keyboard, and so the yellow lines pile up in their thousands while the margins, which could now be of any width, stay empty.

There is a small discipline that helps. Allow yourself the yellow line, and pay for it with five words. They may be any words, as long as they are yours. *Because it explains the fog. Disagrees with Holm. Ask Father.* Those five words are worth more than the sentence they are attached to, for the sentence can be found again in any copy of the book and the five words exist nowhere else.

## The other reader

Sooner or later someone else will open the book. It may be a stranger in a shop, or a grandchild, or you yourself, in ten years' time, who will be both. Whoever it is will read the author's words as they were always going to be read, and will then see yours and stop. Somebody was here. She disagreed about the fog.

A margin is where a book becomes a copy, this one and no other. Print makes a thousand that are the same; readers make each of them different. If you would like to leave something behind and have no monument in mind, you might begin with a pencil.`,
  }),
  essay({
    slug: "forgetting-on-purpose",
    title: "Forgetting on Purpose",
    author: { family: "Renn", given: "Tobias" },
    issued: [2025, 5],
    pages: "7-13",
    tags: ["memory", "habit"],
    text: `Most of what we read is gone within a week. This is usually mentioned as a complaint. I should like to treat it as information: if forgetting is so regular, it must obey rules, and what obeys rules can be used.

## The man who learned nonsense

The first person to measure forgetting measured his own. Between 1879 and 1885 Hermann Ebbinghaus, in Berlin, learned by heart long lists of syllables without meaning, thousands of them, to the beat of a watch. He then waited for twenty minutes, an hour, a day, a month, and learned the same list again. What he measured was how much less work the second learning took. The saving shrank quickly at first and then more and more slowly. After an hour more than half of the work had to be done again; after a month about four fifths; but some trace was left, and it seemed that a little would be left for ever.

The curve he drew falls steeply and flattens out. It has been drawn again many times since, with better methods, and has kept its shape.

## Effort is the price

Ebbinghaus noticed something else. Repetitions spread over several days were worth far more than the same number on a single day. This is the spacing effect, and it is among the best supported findings in the study of memory. A companion to it was established later: trying to recall a thing strengthens it more than looking at it once more does. A student who closes the book and attempts to say what was in it will remember more after a week than one who reads the chapter a second time, although the second student feels better prepared.

Both facts point the same way. What fixes a memory is the effort of fetching it. If the effort is too small, because we have only just read the page, nothing is gained. If it is too great the thing cannot be found at all. The useful moment lies in between, shortly before it would have been lost. Forgetting is not the enemy of learning. It is the resistance against which learning works.

## A review that is worth the time

From this one can build a practice for readers, and it is very small. Each day, look at a handful of things you once marked. But do not simply look. Cover the second half of the sentence and try to finish it. Or read only the title of the book and ask what you took from it. Then uncover.

Five a day is enough. It is better to stop while it is still pleasant, because the whole effect depends on coming back tomorrow. What you recall with ease may return after a long interval, and what you have missed should return soon. Computers can arrange the intervals, though a box of cards with five compartments does nearly as well.

Some of what comes up will no longer interest you. Throw it out. A review is also a sieve, and a sieve that lets nothing through is a bucket. I discard about one in six, and I have not yet missed any of them.

## What should be let go

There is a fashion for wanting to remember everything, and tools that promise it. I distrust the wish. The people known to medicine who could not forget were not happier for it; they found it difficult to see what mattered, as every detail stood in the same light. To remember is to choose, and the first choice is made by forgetting, without our help and on the whole with good taste.

So let most of it go. Keep the book on the shelf and the passage in the index, where it can be found when it is wanted. Put into your head only what you need when you are away from the shelf: what you want to think with while walking, or say to somebody who is sad. It comes to less than one imagines. For me it is about two hundred sentences, some of which are jokes.`,
  }),
  essay({
    slug: "attention-and-its-returns",
    title: "Attention and Its Returns",
    author: { family: "Renn", given: "Tobias" },
    issued: [2025, 9],
    pages: "14-19",
    tags: ["attention", "habit", "reading"],
    text: `Attention is spoken of as if it were money. We pay it, we spend it, others try to steal it, and there is said to be an economy of it. The picture is not wrong but it hides one thing. Money that has been spent is gone. Attention that has wandered can be called back, and the calling back is itself a skill that grows with use.

## The wandering is normal

Anyone who has tried to follow a difficult argument knows the experience: the eyes proceed to the foot of the page, and the mind has been elsewhere since the third line. Studies in which readers are interrupted at random and asked whether they were thinking of the text find them elsewhere a good part of the time, and often they had not noticed it themselves until they were asked.

It is a mistake to be ashamed of this. A mind that never wandered would be a mind that could not be surprised by anything outside its task, and our ancestors would not have got far with it. The question is not how to prevent the wandering. It is how soon one notices.

## The return

Consider what happens at the moment of noticing. One finds oneself planning lunch. There is a short interval of choice, perhaps half a second, in which the book is there and lunch is there. If one goes back to the book, something has been exercised that is not exercised by an hour of effortless absorption. I call it the return.

A reader who wanders twenty times in an hour and returns twenty times has done twenty repetitions. She may feel that the hour was a failure. It was practice, and tomorrow's first return will come a little sooner. The reader who wanders once and does not come back until the clock strikes has had, by the same count, an hour without practice, though it may have been a pleasant one.

This way of counting changes the mood in which one reads. Each lapse becomes an occasion. It is difficult to be angry with oneself about something one is collecting.

## Make the return easy

There are arrangements that shorten the way back. The first is a place to come back to. A finger on the line, a ruler under it, or a pencil resting beside the paragraph: any of them saves the search for where one was, and during that search half of all returns are lost.

The second is to stop at joints. Hard passages tire the mind, and the wandering that follows them is a kind of breath. Take the breath on purpose. Look up at the end of the difficult paragraph, wait, and say in one sentence what it claimed. Then go on. The sentence need not be right. It needs only to exist, so that the next paragraph has something to correct.

The third is to have one thing open. This is the hardest, because the second thing is always interesting. A telephone lying on the table takes something from a conversation even when it is silent, and I believe that it does the same to a book. It offers a return to somewhere else.

## What comes of it

I would not promise that more attention makes anyone wiser. There are attentive fools, and they are tiring. What it does is to put one in the presence of the thing. A page read with attention can be disagreed with, because one knows what it said. A page read without it can only be approved of or disliked, like weather.

And sometimes, after enough returns, there comes an hour in which none is needed. The book closes over one's head like water. That cannot be arranged. It can only be prepared for, and the preparation consists entirely of coming back.`,
  }),
  essay({
    slug: "rereading-as-measurement",
    title: "Rereading as Measurement",
    author: { family: "Quill", given: "Dara" },
    issued: [2026, 1],
    pages: "20-25",
    tags: ["reading", "memory"],
    text: `To read a book for the second time is to make a measurement. The book has not changed. Whatever is different has happened in the reader, and so the book becomes an instrument, like the notch on a door frame at which a child is stood every birthday.

## What the first reading cannot do

On the first time through we are busy. We want to know who did it, or whether the argument will hold; we are learning the names, getting used to the voice, keeping count of the clauses. A good part of the mind is engaged in not getting lost. It is like a first walk through a foreign town, of which afterwards one remembers the map.

On the second walk one looks up. The reader who knows how it ends sees how it was prepared. The remark on page ten that seemed to be about the weather turns out to have been about the marriage. It had been there all the time. Nobody can read the first page of a novel properly who has not read the last.

## The traces of an earlier self

If the first reader left marks, there are now three people at the table: the author, the reader, and the reader's younger self, who is generally the most surprising of the three. I have before me a copy of a book that I read at twenty. Beside a sentence about ambition I had written *yes!!* I have no idea what I meant. Two pages on there is a passage about patience, which I now think the best in the book, and the margin next to it is perfectly clean.

Such discoveries are not always comfortable, but they are exact. No diary would have told me as much, for a diarist knows that she is describing herself, and at twenty I thought that I was only describing a book.

For this reason one should date one's marks. A bare stroke tells a later reader that somebody cared. A stroke with a year tells her who.

## How to choose

Not every book deserves it. There are so many unread ones, and life is short; the objection is obvious, and I think it is mistaken about what is being counted. If one counts titles, then every rereading is a loss. If one counts what has stayed, it may be the better bargain. Ten books read twice leave more behind than twenty books read once. I cannot prove this, but I notice that people who talk well about books tend to talk about few of them.

A rule that has served me: reread what you have quoted. If you have carried a sentence about for some years and used it in conversation, go and see whether it is still there. In about one case out of four it is not, or it is but says something else. You have been improving it. The correction is humbling, and what stood there in the first place is often more interesting than the version that you made.

## An interval of years

The instrument is most sensitive over long intervals. After a month one checks one's memory. After ten years one checks one's life. Many people keep a book of this kind without having decided to, a novel taken up in every illness, or a few poems known since school. They could say, if you asked, not only what is in it but where they were sitting on each occasion.

I keep a list on the flyleaf: the date, the place, and one line. There are five entries in the oldest. The lines do not agree with one another, and I have not corrected any. Together they are the only honest review of the book that I shall ever write.`,
  }),
  essay({
    slug: "silence-and-voice",
    title: "Silence and Voice",
    author: { family: "Feld", given: "Noa" },
    issued: [2026, 2],
    pages: "26-31",
    tags: ["reading", "history"],
    text: `In the fourth century a young teacher of rhetoric came to see the bishop of Milan and found him reading. The door was open, and anyone might go in. The visitor sat down and watched. The bishop's eyes moved over the page and his heart searched out the sense, but his voice and tongue were at rest. The visitor was Augustine, the bishop was Ambrose, and the passage in the sixth book of the *Confessions* has become the most discussed description of a person reading that has come down to us.

## What surprised Augustine

It used to be said that Augustine was astonished because nobody in antiquity read silently. That is too strong. There are older texts in which people take in a letter at a glance, or keep its contents from bystanders; a character in a comedy reads a tablet to himself on the stage while another waits to hear what it says. Ancient readers could do it. What seems to have struck Augustine was that Ambrose did it in company, with visitors in the room, and Augustine offers explanations: perhaps he wished to avoid questions about difficult passages, perhaps he was sparing his voice, which easily became hoarse.

So the right conclusion is more modest. Reading with the voice was the normal thing, and reading without it was possible, and remarked upon.

## Words without spaces

One reason lies in the page. Greek and Latin books of that time were written without gaps between words, in an unbroken file of letters. A practised reader could manage it, as we can manage a line of capitals, but the voice was a help: one sounded the syllables, and the ear found the words. Public reading needed rehearsal.

The space between words that we take for granted was added by scribes for whom Latin was a foreign language. Irish monks of the seventh and eighth centuries, copying texts in a tongue they had learned from grammars, began to set the words apart. The custom spread to England and then to the Continent, and by the twelfth century it was general. With the words laid out for the eye, the voice had less to do. Rules for monastic libraries and universities begin to ask for quiet. A reader could now go at the pace of sight.

## What was gained and lost

Silent reading is faster, and it is private. A person may read a forbidden book in a crowded room. Comparison becomes easier, since the eye can go back and forth where the voice must go on. It is hard to imagine scholarship, or the novel, or an inner life of the modern kind, without pages that can be consulted in silence.

What was lost is the body. A sentence read aloud passes through breath and has to be a length that breath can carry. The mouth refuses what the eye forgives: three nouns in a row, a clause that arrives too late, a rhythm that limps. Writers who test their work by speaking it are making use of a sense that readers have mostly given up.

And aloud one reads to somebody. For many centuries the usual audience of a book was a household, a refectory, a workshop where one read while the others worked. In the cigar factories of Cuba, from the 1860s on, workers paid a reader to sit on a raised chair and read newspapers and novels to them through the day.

## Both

There is no need to choose. The habit I would recommend is simply to change now and then from one to the other. Read silently until a paragraph resists, then read it aloud, slowly. In most cases the difficulty will turn out to have been a matter of where the weight falls. The voice finds it, as it did when all the words ran together.`,
  }),
];
