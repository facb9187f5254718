import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { scoreText } from '../../../core/ranking/scoreText';
import type { TrackedPart } from '../../../core/ranking/trackedParts';
import { numberText, shortened } from '../../../platform/displayText';
import { joined, markdown } from '../../../platform/notify';

/** A displayed score. */
export interface DrawnScore {
  /** Line of the gutter icon. */
  readonly line: number;
  /** Position after which the text is drawn. */
  readonly at: vscode.Position;
  readonly text: string;
  /** The score in a few characters, in one line or two. */
  readonly short: readonly string[];
  /** 0 to 4. */
  readonly level: number;
  readonly isOld: boolean;
}

/** Draws scores in editors. */
interface ScoreDecorations extends Disposable {
  /** Replaces all scores of an editor. Icons and texts are drawn only near the visible lines. */
  draw(editor: vscode.TextEditor, scores: readonly DrawnScore[]): void;
  /** Redraws the icons and texts of the same scores for the lines that are now visible. */
  drawVisible(editor: vscode.TextEditor, scores: readonly DrawnScore[]): void;
}

interface Step {
  readonly colour: string;
  /** An icon cannot use theme colors: these are their usual values. */
  readonly onLight: string;
  readonly onDark: string;
}

/** Without `charts.orange`, which is hardly visible in light themes and missing in high-contrast ones. */
const steps: readonly Step[] = [
  { colour: 'charts.lines', onLight: '#6b6b6b', onDark: '#9d9d9d' },
  { colour: 'charts.purple', onLight: '#652d90', onDark: '#b180d7' },
  { colour: 'charts.yellow', onLight: '#8f6a00', onDark: '#cca700' },
  { colour: 'charts.blue', onLight: '#1a6fd0', onDark: '#3794ff' },
  { colour: 'charts.green', onLight: '#388a34', onDark: '#89d185' },
];
/** Lines drawn beyond the visible ones, for scrolling. */
const margin = 100;

export function createScoreDecorations(): ScoreDecorations {
  const store = new DisposableStore();
  const marks = steps.map((step) => store.add(markType(step)));
  const icons = store.add(createIcons());
  const texts = store.add(vscode.window.createTextEditorDecorationType({ rangeBehavior }));
  const drawVisible = (editor: vscode.TextEditor, scores: readonly DrawnScore[]): void => {
    const seen = scores.filter(({ line, at }) => isSeen(editor, line) || isSeen(editor, at.line));
    icons.draw(editor, bestOfLines(seen));
    editor.setDecorations(texts, seen.map(withText));
  };
  return {
    draw(editor, scores) {
      const lines = bestOfLines(scores);
      for (const [level, type] of marks.entries()) {
        const marked = lines.filter((score) => score.level === level && !score.isOld);
        editor.setDecorations(
          type,
          marked.map(({ line }) => new vscode.Range(line, 0, line, 0)),
        );
      }
      drawVisible(editor, scores);
    },
    drawVisible,
    dispose: () => store.dispose(),
  };
}

const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;

function markType({ colour }: Step): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior,
    overviewRulerColor: new vscode.ThemeColor(colour),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  });
}

/** Types of decorations beyond this number are deleted once no editor shows them. */
const mostIcons = 300;

/** Icons with scores. VS Code needs a type of decoration for each different icon. */
function createIcons(): Disposable & { draw(editor: vscode.TextEditor, scores: readonly DrawnScore[]): void } {
  const types = new Map<string, vscode.TextEditorDecorationType>();
  const drawn = new Map<vscode.TextEditor, ReadonlySet<string>>();
  const removeUnused = (): void => {
    for (const editor of drawn.keys()) if (!vscode.window.visibleTextEditors.includes(editor)) drawn.delete(editor);
    const used = new Set([...drawn.values()].flatMap((keys) => [...keys]));
    for (const [key, type] of types) {
      if (types.size <= mostIcons) return;
      if (used.has(key)) continue;
      type.dispose();
      types.delete(key);
    }
  };
  return {
    draw(editor, scores) {
      const byIcon = new Map<string, DrawnScore[]>();
      for (const score of scores) {
        if (score.isOld) continue;
        const key = [...score.short, score.level].join(' ');
        const known = byIcon.get(key);
        if (known) known.push(score);
        else byIcon.set(key, [score]);
      }
      for (const key of drawn.get(editor) ?? []) if (!byIcon.has(key)) editor.setDecorations(types.get(key)!, []);
      for (const [key, [first, ...others]] of byIcon) {
        let type = types.get(key);
        if (!type) types.set(key, (type = iconType(first!)));
        editor.setDecorations(
          type,
          [first!, ...others].map(({ line }) => new vscode.Range(line, 0, line, 0)),
        );
      }
      drawn.set(editor, new Set(byIcon.keys()));
      removeUnused();
    },
    dispose: () => types.forEach((type) => type.dispose()),
  };
}

function iconType(score: DrawnScore): vscode.TextEditorDecorationType {
  const { onLight, onDark } = steps[score.level]!;
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior,
    gutterIconSize: 'contain',
    light: { gutterIconPath: icon(score, onLight) },
    dark: { gutterIconPath: icon(score, onDark) },
  });
}

/** The score above a bar whose length shows how it compares with the others. */
function icon({ short, level }: DrawnScore, colour: string): vscode.Uri {
  const width = (14 * (level + 1)) / steps.length;
  const [first = ''] = short;
  const size = short.length > 1 ? 6.5 : Math.min(9.5, 26 / first.length);
  const lines = short.map((line, at) => {
    const y = short.length > 1 ? 6 + at * 6.5 : 10.5;
    return `<text x="8" y="${y}" font-size="${size}" font-weight="600" font-family="sans-serif" text-anchor="middle">${line}</text>`;
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${colour}">${lines.join('')}` +
    `<rect x="1" y="14" width="14" height="2" opacity="0.3"/><rect x="1" y="14" width="${width}" height="2"/></svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
}

/** If a line has several parts, the gutter shows the best. */
function bestOfLines(scores: readonly DrawnScore[]): readonly DrawnScore[] {
  const best = new Map<number, DrawnScore>();
  for (const score of scores) {
    const known = best.get(score.line);
    if (!known || known.isOld || (!score.isOld && score.level > known.level)) best.set(score.line, score);
  }
  return [...best.values()];
}

function isSeen({ visibleRanges }: vscode.TextEditor, line: number): boolean {
  return visibleRanges.some(({ start, end }) => line >= start.line - margin && line <= end.line + margin);
}

function withText({ at, text, level, isOld }: DrawnScore): vscode.DecorationOptions {
  const colour = new vscode.ThemeColor('descriptionForeground');
  return {
    range: new vscode.Range(at, at),
    renderOptions: {
      before: {
        contentText: isOld ? '□' : '■',
        color: isOld ? colour : new vscode.ThemeColor(steps[level]!.colour),
        margin: '0 0.5em 0 1.5em',
      },
      after: { contentText: text, color: colour, ...(isOld && { fontStyle: 'italic' }) },
    },
  };
}

/** Score of one part. */
export interface PartScore {
  readonly score: number;
  /** From 1. */
  readonly rank: number;
  /** 0 to 4, 4 being the best. */
  readonly level: number;
}

export interface ScoreFacts {
  readonly query: string;
  readonly model: string;
  /** Number of parts with a score. */
  readonly count: number;
}

/** Nobody reads more in a hover. */
const queryChars = 400;

export function lineText({ score, rank }: PartScore, { isOld }: TrackedPart): string {
  const text = `${scoreText(score, vscode.env.language)} · #${numberText(rank, vscode.env.language)}`;
  return isOld ? l10n.t('{0} · outdated', text) : text;
}

export function scoreHover(
  { score, rank }: PartScore,
  { isOld }: TrackedPart,
  { query, model, count }: ScoreFacts,
): vscode.MarkdownString {
  const language = vscode.env.language;
  const title = l10n.t('Rank {0} of {1}', numberText(rank, language), numberText(count, language));
  const facts = [
    l10n.t('Score: {0}', score),
    l10n.t('Query: {0}', shortened(query, queryChars)),
    l10n.t('Model: {0}', model),
  ];
  const notes = isOld ? [l10n.t('The text has changed since it was scored.')] : [];
  return joined([markdown`**${title}**`, ...[facts.join('\n'), ...notes].map((text) => markdown`${text}`)]);
}
