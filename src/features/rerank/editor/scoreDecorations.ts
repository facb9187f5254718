import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore } from '../../../platform/disposables';
import type { Disposable } from '../../../platform/disposables';
import { scoreText } from '../../../core/ranking/scoreText';
import type { TrackedPart } from '../../../core/ranking/trackedParts';
import { numberText, shortened } from '../../../platform/displayText';
import { joined, markdown } from '../../../platform/notify';

/** One part, as it is drawn. */
export interface DrawnScore {
  /** Line of the gutter icon. */
  readonly line: number;
  /** Position after which the text is drawn. */
  readonly at: vscode.Position;
  readonly text: string;
  /** 0 to 4. */
  readonly level: number;
  readonly isOld: boolean;
}

/** Draws scores in editors. */
interface ScoreDecorations extends Disposable {
  /** Replaces all scores of an editor. Texts are drawn only near the visible lines. */
  draw(editor: vscode.TextEditor, scores: readonly DrawnScore[]): void;
  /** Redraws the texts of the same scores for the lines that are now visible. */
  drawTexts(editor: vscode.TextEditor, scores: readonly DrawnScore[]): void;
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
  const icons = steps.map((step, level) => store.add(iconType(step, level)));
  const texts = store.add(vscode.window.createTextEditorDecorationType({ rangeBehavior }));
  const drawTexts = (editor: vscode.TextEditor, scores: readonly DrawnScore[]): void => {
    const seen = scores.filter(({ at }) => isSeen(editor, at.line));
    editor.setDecorations(texts, seen.map(withText));
  };
  return {
    draw(editor, scores) {
      const lines = bestOfLines(scores);
      for (const [level, type] of icons.entries()) {
        const marked = lines.filter((score) => score.level === level && !score.isOld);
        editor.setDecorations(
          type,
          marked.map(({ line }) => new vscode.Range(line, 0, line, 0)),
        );
      }
      drawTexts(editor, scores);
    },
    drawTexts,
    dispose: () => store.dispose(),
  };
}

const rangeBehavior = vscode.DecorationRangeBehavior.ClosedClosed;

function iconType({ colour, onLight, onDark }: Step, level: number): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    rangeBehavior,
    gutterIconSize: 'contain',
    light: { gutterIconPath: icon(level, onLight) },
    dark: { gutterIconPath: icon(level, onDark) },
    overviewRulerColor: new vscode.ThemeColor(colour),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
  });
}

/** A bar whose length is the score. */
function icon(level: number, colour: string): vscode.Uri {
  const width = (12 * (level + 1)) / steps.length;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${colour}">` +
    `<rect x="2" y="6" width="12" height="4" rx="1" opacity="0.3"/>` +
    `<rect x="2" y="6" width="${width}" height="4" rx="1"/></svg>`;
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
  const notes = isOld ? [l10n.t('Changed since it was scored.')] : [];
  return joined([markdown`**${title}**`, ...[facts.join('\n'), ...notes].map((text) => markdown`${text}`)]);
}
