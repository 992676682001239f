// Programs as coloured lines. It makes text nodes only, so that nothing in a program can become an element.

const words = (text) => new Set(text.split(" "));
const LANGUAGES = {
  python: {
    token: new RegExp([
      String.raw`(?<comment>#[^\n\r]*)`,
      String.raw`(?<string>[rbfuRBFU]{0,2}(?:"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)` +
        String.raw`|"(?:\\[^]|[^"\\\n\r])*"?|'(?:\\[^]|[^'\\\n\r])*'?))`,
      String.raw`(?<number>\b(?:0[xXoObB][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?j?))`,
      String.raw`(?<decorator>@[\w.]+)`,
      String.raw`(?<word>[\p{L}_][\p{L}\p{N}_]*)`,
    ].join("|"), "gu"),
    keywords: words("False None True and as assert async await break case class continue def del elif else except " +
      "finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield"),
    known: words("abs all any bin bool bytes chr dict divmod enumerate eval exec filter float format frozenset hash " +
      "hex input int isinstance iter len list map max min next object open ord pow print range repr reversed round " +
      "self set sorted str sum super tuple type zip"),
    defining: words("def class"),
  },
  braces: {  // C, C++, Java, JavaScript, Go, Rust: enough of each to read it
    token: new RegExp([
      String.raw`(?<comment>\/\/[^\n\r]*|\/\*[^]*?(?:\*\/|$))`,
      String.raw`(?<string>"(?:\\[^]|[^"\\\n\r])*"?|'(?:\\[^]|[^'\\\n\r])*'|` + "`(?:\\\\[^]|[^`\\\\])*`?)",
      String.raw`(?<decorator>^[ \t]*#[^\n\r]*)`,
      String.raw`(?<number>\b(?:0[xXbB][\da-fA-F']+|\d[\d'_]*\.?[\d_]*(?:[eE][+-]?\d+)?)\w*)`,
      String.raw`(?<word>[\p{L}_$][\p{L}\p{N}_$]*)`,
    ].join("|"), "gmu"),
    keywords: words("auto break case catch char class const constexpr continue default defer delete do double else enum " +
      "export extends extern false final float fn for func function go goto if impl implements import int interface " +
      "let long match mod mut namespace new nil null nullptr operator package private protected pub public range " +
      "return self short signed sizeof static struct super switch template this throw throws trait true try type " +
      "typedef typename undefined union unsigned use using var virtual void volatile while"),
    known: words("String boolean bool byte i32 i64 int64_t map pair set size_t std string u32 u64 usize vector Vec"),
    defining: words("class struct fn func function enum interface trait"),
  },
};
const BRACES = /^\s*(?:#\s*include|using namespace|import java|package \w|public class|use std|fn main|func |function |const \w+ =|let \w+ =|var \w+ =|"use strict")/m;

function kindOf(match, language, before) {
  const { groups } = match;
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  if (kind !== "word") return kind;
  if (language.keywords.has(match[0])) return "keyword";
  if (language.defining.has(before)) return "defined";
  return language.known.has(match[0]) ? "known" : null;
}

function colouredLines(code) {
  const language = BRACES.test(code) ? LANGUAGES.braces : LANGUAGES.python;
  const lines = document.createDocumentFragment();
  let line;
  const next = () => {
    line = document.createElement("span");
    line.className = "line";
    lines.append(line);
  };
  const put = (text, kind) => {
    text.split(/\r\n?|\n/).forEach((part, index) => {
      if (index) next();
      if (!part) return;
      if (!kind) return line.append(part);
      const span = document.createElement("span");
      span.className = kind;
      span.textContent = part;
      line.append(span);
    });
  };
  next();
  let end = 0, before = "";
  for (const match of code.matchAll(language.token)) {
    put(code.slice(end, match.index), null);
    put(match[0], kindOf(match, language, before));
    end = match.index + match[0].length;
    before = match[0];
  }
  put(code.slice(end), null);
  return lines;
}
