import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { numberText } from '../../../platform/displayText';
import { UserError } from '../../../platform/errors/userError';
import type { WorkspaceGuard } from '../../../platform/workspace/workspaceGuard';
import { openTexts } from '../../../platform/workspace/workspaceTexts';
import type { RerankSource, SourceText } from './rerankSource';
import { nameOf } from './textOf';
import { labelled } from '../../../protocol/sentences';

const mostProblems = 5000;
const codeLimits = { files: 2000, fileBytes: 4 * 1024 * 1024, totalBytes: 64 * 1024 * 1024 };

/** Reads the diagnostics, each with its line of code. Throws `UserError` if there are none. */
export async function readProblems(guard: WorkspaceGuard, signal?: AbortSignal): Promise<RerankSource> {
  const all = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) => diagnostics.map((diagnostic) => ({ uri, diagnostic })));
  if (all.length === 0) {
    throw new UserError(
      l10n.t('There are no problems to rank'),
      l10n.t('The Problems panel is empty. Files have to be open, or checked, for problems to be there.'),
    );
  }
  const taken = all.slice(0, mostProblems);
  const lines = await readLines(
    taken.map(({ uri }) => uri),
    guard,
    signal,
  );
  const texts = taken.map(({ uri, diagnostic }) => toText(uri, diagnostic, lines));
  const count = numberText(mostProblems, vscode.env.language);
  const remarks = all.length > taken.length ? [l10n.t('Only the first {0} problems are taken.', count)] : [];
  return {
    kind: 'problems',
    title: l10n.t('Problems: {0}', numberText(texts.length, vscode.env.language)),
    texts,
    remarks,
  };
}

type Lines = ReadonlyMap<string, readonly string[]>;

async function readLines(uris: readonly vscode.Uri[], guard: WorkspaceGuard, signal?: AbortSignal): Promise<Lines> {
  const lines = new Map<string, readonly string[]>();
  for await (const { uri, text } of openTexts(uris, { ...codeLimits, guard }, signal).texts) {
    lines.set(uri.toString(), text.split(/\r\n|\r|\n/));
  }
  return lines;
}

function toText(uri: vscode.Uri, { range, severity, source, message }: vscode.Diagnostic, lines: Lines): SourceText {
  const { line, character } = range.start;
  const code = lines.get(uri.toString())?.[line]?.trim() ?? '';
  const from = source === undefined ? '' : `${source}: `;
  const said = labelled(severities[severity], `${from}${message}`);
  return {
    text: code === '' ? said : `${said}\n${code}`,
    name: nameOf(uri),
    at: { uri: uri.toString(), line, character, isAbout: true },
  };
}

/** Sent with the text, so in English, the language of most code and models. */
const severities: { readonly [Severity in vscode.DiagnosticSeverity]: string } = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'info',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};
