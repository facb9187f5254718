import * as vscode from 'vscode';
import { linesLookedAt, looksLikeBatch } from '../../core/batch/detect';
import { createGlobMatcher } from '../../core/workspace/globs';
import type { Settings } from '../../platform/settings';

const decidedKey = 'batchFile.decided';
/** Older decisions are dropped. */
const mostDecisions = 200;

/** Which documents are batch files. */
export interface BatchDecisions {
  isBatch(document: vscode.TextDocument): boolean;
  /** Stores the user's decision about one file in the workspace state. */
  decide(uri: vscode.Uri, isBatch: boolean): Promise<void>;
}

/** The user's decision about the file takes precedence, then the patterns in the settings, then the content of the file. */
export function createBatchDecisions(memento: vscode.Memento, settings: Settings): BatchDecisions {
  const decided = () => memento.get<Readonly<Record<string, boolean>>>(decidedKey, {});
  return {
    isBatch(document) {
      const decision = decided()[document.uri.toString()];
      if (decision !== undefined) return decision;
      if (document.languageId !== 'jsonl') return false;
      return bySetting(document, settings.get('batch.files')) ?? looksLikeBatch(firstLines(document));
    },
    async decide(uri, isBatch) {
      const { [uri.toString()]: _before, ...others } = decided();
      const recent = Object.entries(others).slice(1 - mostDecisions);
      await memento.update(decidedKey, Object.fromEntries([...recent, [uri.toString(), isBatch]]));
    },
  };
}

/** Whether a new batch file can be started in this document. */
export function isEmptyFile(document: vscode.TextDocument): boolean {
  return document.languageId === 'jsonl' && document.lineCount === 1 && document.lineAt(0).text === '';
}

/** The last matching pattern decides. `undefined` if none matches. */
function bySetting(document: vscode.TextDocument, patterns: Readonly<Record<string, boolean>>): boolean | undefined {
  const last = createGlobMatcher(Object.keys(patterns));
  const { uri } = document;
  const within = vscode.workspace.asRelativePath(uri, false);
  return Object.values(patterns)[Math.max(last(within), last(uri.path))];
}

function* firstLines(document: vscode.TextDocument): Iterable<string> {
  const count = Math.min(document.lineCount, linesLookedAt);
  for (let line = 0; line < count; line++) yield document.lineAt(line).text;
}
