import { benchChart, shownLines, timesText, type ChartTheme } from './benchChart.ts';
import { figure, readReport, type BenchReport, type ReportedLine } from './benchReport.ts';

const themes: readonly ChartTheme[] = ['light', 'dark'];

const linesOf = ({ parts }: BenchReport): readonly ReportedLine[] => parts.flatMap(({ lines }) => lines);

/** The charts of the README by their paths, made of the figures that are kept. */
export function speedCharts(report = readReport()): ReadonlyMap<string, string> {
  return new Map(themes.map((theme) => [`media/readme/speed-${theme}.svg`, benchChart(linesOf(report), theme)]));
}

/** What the README says of them. */
export function speedSection(report = readReport()): string {
  const lines = linesOf(report);
  const { besidePeers, againstGoals } = shownLines(lines);
  return [
    measuredWhere(report),
    picture,
    ['| beside others | ours | the other | |', '|---|---:|---:|---|', ...besidePeers.map(peerRow)].join('\n'),
    ['| against its goals | ours | goal | |', '|---|---:|---:|---|', ...againstGoals.map(goalRow)].join('\n'),
    growthSentence(lines),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

const picture = `<picture>
  <source media="(prefers-color-scheme: dark)" srcset="media/readme/speed-dark.svg">
  <img alt="Bars: how many times less CPU or time than others the same work takes, and how much of each goal is used. The tables below have the figures" src="media/readme/speed-light.svg">
</picture>`;

function measuredWhere({ machine, versions, parts }: BenchReport): string {
  const dates = [...new Set(parts.map(({ date }) => date))].toSorted();
  const when = dates.length > 1 ? `from ${dates[0]} to ${dates.at(-1)}` : `on ${dates[0]}`;
  const goals = parts.flatMap(({ lines }) => lines.filter(({ met }) => met !== undefined));
  const met = goals.filter((line) => line.met).length;
  const { node, editor, openai, '@anthropic-ai/sdk': anthropic, 'vscode-json-languageservice': json } = versions;
  const minutes = Math.max(1, Math.round(parts.reduce((sum, { seconds }) => sum + seconds, 0) / 60));
  return `Measured ${when} in ${minutes} min on ${machine}, Node ${node}, VS Code ${editor}, OpenAI's SDK ${openai}, Anthropic's ${anthropic}, the editor's JSON service ${json}: **${met} of ${goals.length} goals met**. Another machine has other times; ours and a peer's are always of the same run.`;
}

const unitOf = ({ unit }: ReportedLine): string => unit.replace(' of the host', '');

function peerRow(line: ReportedLine): string {
  const unit = unitOf(line);
  const goal = line.met === false ? ', goal missed' : '';
  const peer = `${figure(line.peer)} ${unit} (${line.peerName})`;
  return `| ${line.title} | ${figure(line.ours)} ${unit} | ${peer} | ${timesText(line)}${goal} |`;
}

function goalRow(line: ReportedLine): string {
  const unit = unitOf(line);
  return `| ${line.title} | ${figure(line.ours)} ${unit} | at most ${figure(line.atMost)} | ${line.met === true ? 'met' : 'missed'} |`;
}

function growthSentence(lines: readonly ReportedLine[]): string {
  const growing = lines.filter(({ growth }) => growth !== undefined).toSorted((a, b) => b.ours - a.ours);
  const [worst] = growing;
  if (worst === undefined) return '';
  const name = worst.name.replace('growth: ', '');
  return `How cost grows: of ${growing.length} kinds of work, each at 1, 10 and 100 times the size, none grows faster than size to the power of ${worst.ours.toFixed(2)} (${name}); n log n has about 1.1.`;
}
