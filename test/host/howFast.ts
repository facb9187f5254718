import { readFileSync, writeFileSync } from 'node:fs';
import { SetupError } from './command.ts';
import { figure, readReport, type BenchReport, type ReportedLine } from './benchReport.ts';

const marks = /(<!-- speed -->\n)[\s\S]*?(<!-- \/speed -->)/;

/** Returns the README with the figures of the last benchmarks. */
export function withSpeed(readme: string, report = readReport()): string {
  if (!marks.test(readme)) throw new SetupError('The README has no marks for its section on performance.');
  return readme.replace(marks, (_, begin: string, end: string) => `${begin}\n${speedSection(report)}\n\n${end}`);
}

/** Writes the figures to the README. */
export function writeSpeed(): void {
  writeFileSync('README.md', withSpeed(readFileSync('README.md', 'utf8')));
}

/** Returns one sentence about the run, and a table of the lines with a title. */
export function speedSection(report: BenchReport): string {
  const shown = report.parts.flatMap(({ lines }) => lines.filter(({ title }) => title !== undefined));
  const table = ['| Task | Inference Desk | Compared with | Result |', '|---|---:|---|---|', ...shown.map(row)];
  return `${measuredWhere(report)}\n\n${table.join('\n')}`;
}

function measuredWhere({ machine, versions, parts }: BenchReport): string {
  const dates = [...new Set(parts.map(({ date }) => date))].toSorted();
  const when = dates.length > 1 ? `from ${dates[0]} to ${dates.at(-1)}` : `on ${dates[0]}`;
  const goals = parts.flatMap(({ lines }) => lines.filter(({ met }) => met !== undefined));
  const met = goals.filter((line) => line.met).length;
  const { node, editor } = versions;
  return `Measured ${when} on ${machine}, Node.js ${node}, VS Code ${editor}. **${met} of ${goals.length} goals met.** All results are in [report.json](test/bench/report.json).`;
}

function row(line: ReportedLine): string {
  const { title, ours, peer, peerName, atMost, unit } = line;
  const short = unit.replace(' of the host', '');
  const reference =
    atMost === undefined ? `${figure(peer)} ${short} (${peerName})` : `goal of up to ${figure(atMost)} ${short}`;
  return `| ${title} | ${figure(ours)} ${short} | ${reference} | ${resultText(line)} |`;
}

/** Returns the ratio to the peer as text, and whether the goal was met, if there are a peer and a goal. */
function resultText(line: ReportedLine): string {
  const goal = line.met === undefined ? [] : [line.met ? 'goal met' : 'goal missed'];
  return [...(line.atMost === undefined ? [timesText(line)] : []), ...goal].join(', ');
}

function timesText({ ratio = 1, ratioAtLeast }: ReportedLine): string {
  const [value, word] =
    ratioAtLeast !== undefined ? [ratio, 'as much'] : ratio <= 1 ? [1 / ratio, 'less'] : [ratio, 'more'];
  return `${value.toLocaleString('en', { maximumSignificantDigits: 2 })}× ${word}`;
}
