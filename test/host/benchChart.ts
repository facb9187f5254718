import { figure, type ReportedLine } from './benchReport.ts';

interface Colours {
  readonly text: string;
  readonly muted: string;
  readonly rule: string;
  readonly track: string;
  readonly met: string;
  readonly missed: string;
}

/** Those of the pages that a README is shown on. */
const palettes = {
  light: {
    text: '#1f2328',
    muted: '#59636e',
    rule: '#afb8c1',
    track: '#eaeef2',
    met: '#0969da',
    missed: '#bc4c00',
  },
  dark: {
    text: '#f0f6fc',
    muted: '#9198a1',
    rule: '#656c76',
    track: '#21262d',
    met: '#4493f8',
    missed: '#f0883e',
  },
} as const satisfies Readonly<Record<string, Colours>>;

export type ChartTheme = keyof typeof palettes;

const width = 800;
const left = 344;
const right = 668;
const ticks = [0.5, 1, 2, 5, 10, 20, 50, 100, 200];
/** Of the goal. What takes more is cut off there, and says how much it is. */
const widestShare = 1.25;
const barHeight = 12;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const at = (value: number): string => String(Math.round(value * 10) / 10);

/** Draws lines of a chart from top to bottom, and knows where the next one begins. */
class Drawing {
  private readonly parts: string[] = [];
  readonly colours: Colours;
  y = 0;

  constructor(colours: Colours) {
    this.colours = colours;
  }

  text(
    x: number,
    y: number,
    text: string,
    more: Partial<Record<'fill' | 'size' | 'weight' | 'anchor', string>> = {},
  ): void {
    const { fill = this.colours.text, size = '13', weight, anchor } = more;
    const extra = `${weight ? ` font-weight="${weight}"` : ''}${anchor ? ` text-anchor="${anchor}"` : ''}`;
    this.parts.push(
      `<text x="${at(x)}" y="${at(y)}" fill="${fill}" font-size="${size}"${extra}>${escaped(text)}</text>`,
    );
  }

  bar(from: number, to: number, y: number, fill: string): void {
    const [x, end] = [Math.min(from, to), Math.max(from, to)];
    const size = `width="${at(Math.max(1.5, end - x))}" height="${barHeight}"`;
    this.parts.push(`<rect x="${at(x)}" y="${at(y)}" ${size} rx="2" fill="${fill}"/>`);
  }

  line(x: number, from: number, to: number, colour: string, strokeWidth: number): void {
    const place = `x1="${at(x)}" y1="${at(from)}" x2="${at(x)}" y2="${at(to)}"`;
    this.parts.push(`<line ${place} stroke="${colour}" stroke-width="${strokeWidth}"/>`);
  }

  head(title: string, about: string): void {
    this.text(0, this.y + 18, title, { size: '15', weight: '600' });
    this.text(0, this.y + 37, about, { fill: this.colours.muted, size: '12' });
    this.y += 50;
  }

  toSvg(title: string): string {
    const fonts =
      '-apple-system, BlinkMacSystemFont, &quot;Segoe UI&quot;, &quot;Noto Sans&quot;, Helvetica, Arial, sans-serif';
    const size = `width="${width}" height="${this.y}" viewBox="0 0 ${width} ${this.y}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${fonts}" role="img">
<title>${escaped(title)}</title>
${this.parts.join('\n')}
</svg>
`;
  }
}

/** How many times less than the peer ours takes, or how many times more it does of what is better when it is more. */
function timesBetter({ ratio, ratioAtLeast }: ReportedLine): number | undefined {
  if (ratio === undefined) return undefined;
  return ratioAtLeast === undefined ? 1 / ratio : ratio;
}

/** That in words. */
export function timesText(line: ReportedLine): string {
  const times = timesBetter(line) ?? 1;
  const [value, word] =
    line.ratioAtLeast !== undefined ? [times, 'as much'] : times >= 1 ? [times, 'less'] : [1 / times, 'more'];
  return `${value.toLocaleString('en', { maximumSignificantDigits: 2 })}× ${word}`;
}

/** Lines of the README that are held against a peer, and those that are held against a figure. */
export function shownLines(lines: readonly ReportedLine[]): {
  readonly besidePeers: readonly ReportedLine[];
  readonly againstGoals: readonly ReportedLine[];
} {
  const shown = lines.filter(({ title }) => title !== undefined);
  return {
    besidePeers: shown.filter(({ ratio, atMost }) => ratio !== undefined && atMost === undefined),
    againstGoals: shown.filter(({ atMost }) => atMost !== undefined),
  };
}

/** A chart of the lines that have a title, as SVG. */
export function benchChart(lines: readonly ReportedLine[], theme: ChartTheme): string {
  const drawing = new Drawing(palettes[theme]);
  const { besidePeers, againstGoals } = shownLines(lines);
  drawBesidePeers(drawing, besidePeers);
  drawing.y += 22;
  drawAgainstGoals(drawing, againstGoals);
  drawing.y += 6;
  return drawing.toSvg('How fast Inference Desk is, beside others and against its goals');
}

function drawBesidePeers(drawing: Drawing, lines: readonly ReportedLine[]): void {
  const { colours } = drawing;
  const times = lines.map((line) => timesBetter(line) ?? 1);
  const most = ticks.find((tick) => tick >= Math.max(2, ...times)) ?? 200;
  const least = Math.min(...times) < 0.95 ? 0.5 : 1;
  const place = (value: number) =>
    left + ((right - left) * Math.log(Math.max(least, value) / least)) / Math.log(most / least);
  drawing.head(
    'Beside others, for the same work in the same run',
    'How many times less it takes us, on a logarithmic scale. A thin mark is the goal, where there is one; orange misses it.',
  );
  const top = drawing.y;
  const bottom = top + 16 + lines.length * 38;
  for (const tick of ticks.filter((one) => one >= least && one <= most)) {
    drawing.line(place(tick), top + 12, bottom, tick === 1 ? colours.rule : colours.track, tick === 1 ? 1.5 : 1);
    drawing.text(place(tick), top + 6, tick === 1 ? 'same' : `${tick}×`, {
      fill: colours.muted,
      size: '11',
      anchor: 'middle',
    });
  }
  drawing.y = top + 20;
  for (const [index, line] of lines.entries()) {
    const value = times[index]!;
    const middle = drawing.y + 14;
    drawing.text(0, middle - 1, line.title ?? '');
    drawing.text(0, middle + 14, `beside ${line.peerName}`, { fill: colours.muted, size: '11' });
    drawing.bar(place(1), place(value), middle - barHeight / 2, line.met === false ? colours.missed : colours.met);
    const goal = line.ratioAtLeast ?? (line.ratioAtMost === undefined ? undefined : 1 / line.ratioAtMost);
    if (goal !== undefined) drawing.line(place(goal), middle - 11, middle + 11, colours.text, 1.5);
    drawing.text(right + 12, middle + (goal === undefined ? 4 : -1), timesText(line), { weight: '600' });
    const reached = line.met === false ? 'missed' : 'met';
    const muted = { fill: colours.muted, size: '11' };
    if (goal !== undefined) drawing.text(right + 12, middle + 14, `goal ${figure(goal)}×, ${reached}`, muted);
    drawing.y += 38;
  }
}

function drawAgainstGoals(drawing: Drawing, lines: readonly ReportedLine[]): void {
  const { colours } = drawing;
  const place = (share: number) => left + ((right - left) * Math.min(share, widestShare)) / widestShare;
  drawing.head('Against its own goals', 'What each takes of its goal, which is the line; orange is over it.');
  const [top, bottom] = [drawing.y - 4, drawing.y + lines.length * 28];
  for (const line of lines) {
    const { ours, atMost = 0, unit, met, title = '' } = line;
    const middle = drawing.y + 12;
    drawing.text(0, middle + 4, title);
    drawing.bar(place(0), place(1), middle - barHeight / 2, colours.track);
    const share = atMost > 0 ? ours / atMost : ours > 0 ? Infinity : 0;
    if (share > 0)
      drawing.bar(place(0), place(share), middle - barHeight / 2, met === false ? colours.missed : colours.met);
    const [short = ''] = unit.split(' ');
    drawing.text(right + 12, middle + 4, `${figure(ours)}`, { weight: '600' });
    drawing.text(right + 52, middle + 4, `of ${figure(atMost)} ${short}`, { fill: colours.muted, size: '12' });
    drawing.y += 28;
  }
  drawing.text(place(1), top - 5, 'goal', { fill: colours.muted, size: '11', anchor: 'middle' });
  drawing.line(place(1), top, bottom, colours.text, 1.5);
}
