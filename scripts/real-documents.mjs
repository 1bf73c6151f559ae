// Documents as they are in the world, from Debian's packages: what the readers are measured on. `authors` are the names
// on the title page, however a file's own fields put it; an empty list means that the work names no author.
const TEX = "usr/share/doc/texlive-doc/latex";

/** @type {import("./real-documents.d.mts").RealDocument[]} */
export const REAL_DOCUMENTS = [
  pdf("debian-policy", "usr/share/doc/debian-policy/policy.pdf", ["The Debian Policy Mailing List"]),
  pdf("debian-policy", "usr/share/doc/debian-policy/fhs/fhs-3.0.pdf", [
    "LSB Workgroup, The Linux Foundation",
    "LSB Workgroup",
    "The Linux Foundation",
  ]),
  pdf("developers-reference", "usr/share/developers-reference/developers-reference.pdf", [
    "Developer's Reference Team",
  ]),
  pdf(
    "developers-reference-de",
    "usr/share/developers-reference/de/developers-reference.pdf",
    ["Developer's Reference Team"],
    "de",
  ),
  pdf(
    "developers-reference-ja",
    "usr/share/developers-reference/ja/developers-reference.pdf",
    ["Developer's Reference Team"],
    "ja",
  ),
  pdf(
    "maint-guide-zh-cn",
    "usr/share/doc/maint-guide-zh-cn/maint-guide.zh-cn.pdf",
    ["Josip Rodin", "Osamu Aoki", "Aron Xu", "李 凌", "郑 原真", "周 默", "杨 博远"],
    "zh",
  ),
  pdf("debian-faq", "usr/share/doc/debian/FAQ/debian-faq.en.pdf", [
    "Susan G. Kleinmann",
    "Sven Rudolph",
    "Santiago Vila",
    "Josip Rodin",
    "Javier Fernández-Sanguino Peña",
  ]),
  pdf("groff", "usr/share/doc/groff-base/pdf/pdfmark.pdf", ["Keith Marshall"]),
  pdf("groff", "usr/share/doc/groff-base/examples/mom/mom-pdf.pdf", ["Deri James", "Peter Schaffter"]),
  // Most of it is the printers' dummy Latin, which is no language.
  pdf(
    "groff",
    "usr/share/doc/groff-base/examples/mom/sample_docs.pdf",
    ["Peter Schaffter", "Rosemary Winspeare", "Joe Chang", "Brad Hegel Connors"],
    null,
  ),
  pdf("bash-doc", "usr/share/doc/bash/bash.pdf", ["Brian Fox", "Chet Ramey"]),
  pdf("bash-doc", "usr/share/doc/bash/bashref.pdf", ["Chet Ramey", "Brian Fox"]),
  pdf("xorg-docs", "usr/share/doc/xorg-docs/icccm/icccm.pdf", ["David Rosenthal", "Stuart W. Marks"]),
  pdf("xorg-docs", "usr/share/doc/xorg-docs/Xserver/analysis.pdf", ["David P. Wiggins"]),
  pdf("cvs", "usr/share/doc/cvs/cvs-paper.pdf", ["Brian Berliner"]),
  pdf("haskell98-report", "usr/share/doc/haskell98-report/haskell98-report.pdf", ["Simon Peyton Jones"]),
  pdf("haskell98-report", "usr/share/doc/haskell98-report/ffi.pdf", [
    "Manuel Chakravarty",
    "Sigbjorn Finne",
    "Fergus Henderson",
    "Marcin Kowalczyk",
    "Daan Leijen",
    "Simon Marlow",
    "Erik Meijer",
    "Sven Panne",
    "Simon Peyton Jones",
    "Alastair Reid",
    "Malcolm Wallace",
    "Michael Weber",
  ]),
  pdf("minimap2", "usr/share/doc/minimap2/minimap2.pdf", ["Heng Li"]),
  pdf("libhyphen-dev", "usr/share/doc/libhyphen-dev/tb87nemeth.pdf", ["László Németh"]),
  pdf("alqalam", "usr/share/doc/alqalam/tb87fahmy.pdf", ["Hossam A. H. Fahmy"]),
  pdf("libtlsh-dev", "usr/share/doc/libtlsh-dev/TLSH_CTC_final.pdf", ["Jonathan Oliver", "Chun Cheng", "Yanggui Chen"]),
  pdf("libtlsh-dev", "usr/share/doc/libtlsh-dev/TLSH_Introduction.pdf", ["Jon Oliver", "Chun Cheng", "Yanggui Chen"]),
  pdf("liblcms2-dev", "usr/share/doc/liblcms2-dev/LittleCMS2.14 tutorial.pdf", ["Marti Maria", "Marti Maria Saguer"]),
  pdf("zlib1g-dev", "usr/share/doc/zlib1g-dev/crc-doc.1.0.pdf", ["Andrew Kadatch", "Bob Jenkins"]),
  pdf("device-tree-compiler", "usr/share/doc/device-tree-compiler/dtc-paper.pdf", [
    "David Gibson",
    "Benjamin Herrenschmidt",
  ]),
  pdf("blktrace", "usr/share/doc/blktrace/btt.pdf", ["Alan D. Brunelle"]),
  pdf("fonts-sil-gentiumplus", "usr/share/doc/fonts-sil-gentiumplus/documentation/pdf/features.pdf", [
    "SIL Writing Systems Technology",
  ]),
  pdf("fonts-sil-abyssinica", "usr/share/doc/fonts-sil-abyssinica/documentation/AbyssinicaSILFontFeatures.pdf", []),
  pdf("debian-refcard", "usr/share/doc/debian-refcard/refcard-en-a4.pdf", ["W. Martin Borgert", "Holger Wansing"]),
  pdf(
    "debian-refcard",
    "usr/share/doc/debian-refcard/refcard-ru-a4.pdf",
    ["W. Martin Borgert", "Holger Wansing", "Ilya V. Golovko", "Yuri Kozlov", "Lev Lamberov"],
    "ru",
  ),
  pdf("speex-doc", "usr/share/doc/speex/manual.pdf", ["Jean-Marc Valin"]),
  pdf("libtheora-doc", "usr/share/doc/libtheora-dev/Theora.pdf", ["Xiph.org Foundation"]),
  pdf("krb5-doc", "usr/share/doc/krb5-doc/user.pdf", ["MIT"]),
  pdf("phyml", "usr/share/doc/phyml/phyml_manual.pdf", ["Stéphane Guindon"]),
  pdf("raxml", "usr/share/doc/raxml/NewManual.pdf", ["Alexandros Stamatakis"]),
  pdf("mummer-doc", "usr/share/doc/mummer/maxmat3man.pdf", ["Stefan Kurtz"]),
  pdf("smlnj-doc", "usr/share/doc/smlnj/mlyacc.pdf", ["David R. Tarditi", "Andrew W. Appel"]),
  pdf("esys-particle", "usr/share/doc/esys-particle/Doc/Tutorial/paper.pdf", [
    "D. Weatherley",
    "W. Hancock",
    "V. Boros",
    "S. Abe",
  ]),
  pdf("texlive-publishers-doc", `${TEX}/revtex/sample/aps/apssamp.pdf`, [
    "Ann Author",
    "Second Author",
    "Charlie Author",
    "Delta Author",
  ]),
  pdf("texlive-publishers-doc", `${TEX}/revtex/sample/aip/aipsamp.pdf`, ["A. Author", "B. Author", "C. Author"]),
  pdf("texlive-publishers-doc", `${TEX}/acmart/samples/sample-sigconf.pdf`, [
    "Ben Trovato",
    "G.K.M. Tobin",
    "Lars Thørväld",
    "Valerie Béranger",
    "Aparna Patel",
    "Huifen Chan",
    "Charles Palmer",
    "John Smith",
    "Julius P. Kumquat",
  ]),
  pdf("texlive-publishers-doc", `${TEX}/elsarticle/elstest-5p.pdf`, [
    "Jos Migchielsen",
    "CV Radhakrishnan",
    "CV Rajagopal",
  ]),
  pdf("texlive-publishers-doc", `${TEX}/tugboat/ltubguid.pdf`, ["Robin Fairbairns", "TUGboat editors"]),
  {
    package: "debian-policy",
    file: "usr/share/doc/debian-policy/policy.epub",
    authors: ["The Debian Policy Mailing List"],
    language: "en",
  },
  {
    package: "developers-reference-de",
    file: "usr/share/developers-reference/de/developers-reference.epub",
    authors: ["Developer's Reference Team"],
    language: "de",
  },
  { package: "sqlite3-doc", folder: "usr/share/doc/sqlite3", html: 400 },
  { package: "postgresql-doc-15", folder: "usr/share/doc/postgresql-doc-15/html", html: 400 },
  { package: "debian-policy", folder: "usr/share/doc/debian-policy/policy.html", html: 40 },
  {
    package: "texlive-bibtex-extra",
    file: "usr/share/texlive/texmf-dist/bibtex/bib/biblatex/biblatex/biblatex-examples.bib",
  },
];

function pdf(from, file, authors, language = "en") {
  return { package: from, file, authors, language };
}
