// SPDX-License-Identifier: GPL-2.0-only

#include "FindingJson.h"
#include "report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;
using namespace dmacheck;

// Lines of code shown above and below the one that a step is about.
static constexpr unsigned Context = 2;

namespace {

/// Text for a browser: what is no UTF-8 is replaced, what is markup escaped.
std::string html(StringRef Text) {
  std::string Out;
  raw_string_ostream OS(Out);
  printHTMLEscaped(json::fixUTF8(Text), OS);
  return Out;
}

/// "drivers/dma-buf" of "drivers/dma-buf/heaps/system_heap.c": as far as a
/// maintainer's area usually goes.
StringRef subsystemOf(StringRef File) {
  StringRef Folder = File.rsplit('/').first;
  if (Folder == File)
    return ".";
  size_t First = Folder.find('/');
  size_t Depth = Folder.starts_with("drivers/net/") ? 4 : 2;
  size_t End = First;
  for (size_t Seen = 1; Seen < Depth && End != StringRef::npos; ++Seen)
    End = Folder.find('/', End + 1);
  return Folder.substr(0, End);
}

StringRef stateOf(const Finding &F) {
  if (!F.Suppressed.empty())
    return "suppressed";
  if (F.Against != Baseline::None)
    return baselineName(F.Against);
  return originName(F.From);
}

class Page {
public:
  Page(const RunSummary &Run, ArrayRef<Rule> Rules, SourceLine LineOf,
       raw_ostream &OS)
      : Run(Run), Rules(Rules), LineOf(LineOf), OS(OS) {}

  void print() {
    OS << Head;
    OS << "<p id=totals>" << Run.Findings.size() << " findings; "
       << Run.Candidates << " candidate files of " << Run.Scanned << ", "
       << Run.Parsed << " parsed, " << Run.NotParsed.size()
       << " not parsed</p>\n"
       << "<p><input id=filter type=search placeholder=\"check, file, "
          "function or words\" autofocus> <output id=shown></output></p>\n";
    std::map<StringRef, std::vector<const Finding *>> BySubsystem;
    for (const Finding &F : Run.Findings)
      BySubsystem[subsystemOf(F.File)].push_back(&F);
    for (const auto &[Name, Findings] : BySubsystem) {
      OS << "<section><h2>" << html(Name) << " <small>" << Findings.size()
         << "</small></h2>\n";
      for (const Finding *F : Findings)
        finding(*F);
      OS << "</section>\n";
    }
    notParsed();
    pages();
    OS << Foot;
  }

private:
  void finding(const Finding &F) {
    OS << "<details class=finding id=\"" << html(F.Fingerprint)
       << "\"><summary><a href=\"#page-" << html(F.Check) << "\">"
       << html(F.Check) << "</a> <code>" << html(F.File) << ":" << F.Line
       << "</code> ";
    if (!F.Function.empty())
      OS << html(F.Function) << "() ";
    if (StringRef State = stateOf(F); !State.empty())
      OS << "<em>" << State << "</em> ";
    OS << "<br>" << html(F.Message) << "</summary>\n";
    if (!F.Patch.empty())
      OS << "<p>" << html(originName(F.From)) << " by " << html(F.Queue) << "/"
         << html(F.Patch) << "</p>\n";
    if (!F.Suppressed.empty())
      OS << "<p>Suppressed in the source: " << html(F.Suppressed) << "</p>\n";
    if (F.Path.empty())
      step(F.File, F.Line, F.Message);
    for (const PathNote &N : F.Path)
      step(N.File, N.Line, N.Note);
    OS << "</details>\n";
  }

  void step(StringRef File, unsigned Line, StringRef Note) {
    OS << "<figure><figcaption><code>" << html(File) << ":" << Line
       << "</code> " << html(Note) << "</figcaption><pre>";
    for (unsigned At = Line > Context ? Line - Context : 1;
         At <= Line + Context; ++At)
      if (std::optional<std::string> Text = LineOf(File, At))
        OS << (At == Line ? "<b>" : "<span>") << right_justify(utostr(At), 6)
           << "  " << html(*Text) << (At == Line ? "</b>" : "</span>") << "\n";
    OS << "</pre></figure>\n";
  }

  void notParsed() {
    if (Run.NotParsed.empty())
      return;
    OS << "<h2>Not parsed <small>" << Run.NotParsed.size()
       << "</small></h2>\n<ul>\n";
    for (const Unparsed &U : Run.NotParsed)
      OS << "<li><code>" << html(U.File) << "</code> " << html(U.Error)
         << "</li>\n";
    OS << "</ul>\n";
  }

  /// The pages of the checks that found something, as they are written.
  void pages() {
    for (const Rule &R : Rules)
      if (any_of(Run.Findings,
                 [&](const Finding &F) { return F.Check == R.Name; }))
        OS << "<details class=page id=\"page-" << html(R.Name) << "\"><summary>"
           << html(R.Name) << ": " << html(R.Summary) << "</summary><pre>"
           << html(R.Page) << "</pre></details>\n";
  }

  // Nothing is loaded from anywhere: the policy forbids it, too.
  static constexpr StringLiteral Head = R"page(<!DOCTYPE html>
<html lang=en>
<meta charset=utf-8>
<meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name=viewport content="width=device-width">
<title>dmacheck</title>
<style>
body { font: 16px/1.4 sans-serif; max-width: 60em; margin: 1em auto; padding: 0 1em; color: #222; background: #fff }
code, pre { font: 13px/1.4 monospace }
pre { overflow-x: auto; background: #f4f4f4; padding: .5em; margin: .2em 0 }
pre b { background: #ffe08a }
details { margin: .6em 0; padding: .3em .6em; border-left: 3px solid #b58900 }
details.page { border-color: #888 }
summary { cursor: pointer }
figure { margin: .8em 0 }
small { color: #777; font-weight: normal }
#filter { width: 24em; font: inherit; padding: .2em }
[hidden] { display: none }
@media (prefers-color-scheme: dark) {
  body { color: #ddd; background: #1b1b1b }
  pre { background: #262626 }
  pre b { background: #5a4a10 }
  a { color: #8ab4f8 }
}
</style>
<h1>dmacheck</h1>
)page";
  static constexpr StringLiteral Foot = R"page(<script>
const box = document.getElementById("filter"), shown = document.getElementById("shown");
const findings = Array.from(document.querySelectorAll(".finding"));
function apply() {
  const words = box.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const each of findings) {
    const text = each.textContent.toLowerCase();
    each.hidden = !words.every(word => text.includes(word));
    count += each.hidden ? 0 : 1;
  }
  for (const section of document.querySelectorAll("section"))
    section.hidden = !section.querySelector(".finding:not([hidden])");
  shown.textContent = count + " of " + findings.length + " shown";
} function follow() {
  const target = decodeURIComponent(location.hash.slice(1));
  if (target.startsWith("filter=")) {
    box.value = target.slice(7);
    apply();
    return;
  }
  const place = document.getElementById(target);
  if (place && place.tagName == "DETAILS")
    place.open = true;
}
box.addEventListener("input", apply);
addEventListener("hashchange", follow);
apply();
follow();
</script>
</html>
)page";

  const RunSummary &Run;
  ArrayRef<Rule> Rules;
  SourceLine LineOf;
  raw_ostream &OS;
};

} // namespace

void dmacheck::printHtml(const RunSummary &Run, ArrayRef<Rule> Rules,
                         SourceLine LineOf, raw_ostream &OS) {
  Page(Run, Rules, LineOf, OS).print();
}
