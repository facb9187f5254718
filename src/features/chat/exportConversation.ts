import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toBatchLine } from '../../core/api/chat/toChatCompletion';
import { writtenWayOf } from '../../core/batch/writtenWay';
import { freeCustomId } from '../../core/conversation/export/appendLine';
import { toConversationJson, toMarkdown } from '../../core/conversation/export/conversationText';
import { toCurl } from '../../core/conversation/export/curl';
import { type ExportedRequest, keyVariable } from '../../core/conversation/export/exportedRequest';
import { toPython } from '../../core/conversation/export/python';
import { toTypeScript } from '../../core/conversation/export/typescript';
import { askPick } from '../../platform/quickInput';
import { knownServiceOf } from '../../core/profiles/knownServices';
import { UserError } from '../../platform/errors/userError';
import { appendBatchLine } from '../../services/batchFiles/appendBatchLine';
import type { Services } from '../../services/services';
import type { Exportable } from './logic/exportable';
import { labelled } from '../../protocol/sentences';
import { autoTitle } from '../../core/conversation/autoTitle';
import type { ChatParameters } from '../../core/conversation/chatParameters';
import { writePrompt } from '../../core/prompts/writePrompt';
import type { ChatSnapshot } from '../../protocol/chat';

interface Format {
  readonly label: string;
  readonly detail: string;
  readonly language: string;
  readonly extension: string;
  readonly write: (exportable: Exportable, request: () => Promise<ExportedRequest>) => string | Promise<string>;
}

/** Asks for a format and a target, and writes the conversation there. No format contains the API key. */
export async function exportConversation(services: Services, exportable: Exportable): Promise<void> {
  if (exportable.turns.length === 0 && !exportable.request) throw nothingToExport();
  const title = l10n.t('Export Conversation');
  for (;;) {
    const format = await askPick({
      title,
      placeholder: l10n.t("Your key isn't exported. Scripts read it from {0}.", keyVariable),
      canGoBack: false,
      canFilter: true,
      items: formats().map((value) => ({ label: value.label, detail: value.detail, value })),
    });
    if (format.kind !== 'value') return;
    const text = await format.value.write(exportable, () => exportedRequest(services, exportable));
    const location = await askPick<'editor' | 'file'>({
      title: labelled(title, format.value.label),
      placeholder: l10n.t('Select a destination'),
      canGoBack: true,
      items: [
        { label: l10n.t('New Editor'), iconPath: new vscode.ThemeIcon('new-file'), value: 'editor' },
        { label: l10n.t('Save as File…'), iconPath: new vscode.ThemeIcon('save-as'), value: 'file' },
      ],
    });
    if (location.kind === 'cancelled') return;
    if (location.kind === 'back') continue;
    return location.value === 'editor' ? openUntitled(text, format.value) : saveAs(text, format.value);
  }
}

/** The request as the active account's service would be sent it. */
async function exportedRequest({ account, connections }: Services, { request }: Exportable): Promise<ExportedRequest> {
  if (!request) throw nothingToExport();
  const { profile: active } = account.current;
  if (!active) return { baseUrl: 'https://api.example.com/v1', path: '/messages', body: request, key: 'bearer' };
  const { baseUrl, keyless, keyHeader = knownServiceOf(baseUrl)?.auth ?? 'bearer' } = active;
  const key = keyless ? 'none' : keyHeader;
  return { baseUrl, key, ...(await connections.written(active, request)) };
}

function formats(): readonly Format[] {
  const program = (
    label: string,
    language: string,
    extension: string,
    write: (request: ExportedRequest) => string,
    detail: string,
  ): Format => ({ label, language, extension, detail, write: async (_, request) => write(await request()) });
  return [
    {
      label: 'Markdown',
      detail: l10n.t('Readable questions and responses'),
      language: 'markdown',
      extension: 'md',
      write: ({ turns }) => toMarkdown(turns),
    },
    {
      label: 'JSON',
      detail: l10n.t('All data, including regenerated responses'),
      language: 'json',
      extension: 'json',
      write: toConversationJson,
    },
    program('cURL', 'shellscript', 'sh', toCurl, l10n.t('The request as a shell command')),
    program('TypeScript', 'typescript', 'ts', toTypeScript, l10n.t('The request as code without dependencies')),
    program('Python', 'python', 'py', toPython, l10n.t('The request as code (standard library only)')),
  ];
}

async function openUntitled(content: string, { language }: Format): Promise<void> {
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
}

async function saveAs(text: string, { label, extension }: Format): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `conversation.${extension}`;
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Export Conversation'),
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
    filters: { [label]: [extension] },
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
}

function nothingToExport(): UserError {
  return new UserError(l10n.t('No conversation to export'), l10n.t('Enter a question and choose a model.'));
}

/** Asks for a batch file and adds the request to it. */
export async function addBatchLine({ account, settings }: Services, { request }: Exportable): Promise<void> {
  if (!request) throw new UserError(l10n.t('No request to add'), l10n.t('Enter a question and choose a model.'));
  const way = writtenWayOf(account.current.baseUrl);
  await appendBatchLine((content) => toBatchLine(request, freeCustomId(content, 'chat'), way), settings);
}

/** Asks for a file and writes the first question (or else the draft) to it, with the model and the parameters. */
export async function savePrompt({ turns, draft, model }: ChatSnapshot, parameters: ChatParameters): Promise<void> {
  const text = turns[0]?.question ?? draft;
  if (text.trim() === '') {
    throw new UserError(l10n.t('No prompt to save'), l10n.t('Enter a question to save as the prompt.'));
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = fileName(text);
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Save as Prompt File'),
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
    filters: { [l10n.t('Prompt files')]: ['desk.md'] },
  });
  if (!uri) return;
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(writePrompt({ model, parameters, text })));
  await vscode.window.showTextDocument(uri);
}

/** Builds a valid file name from the first words of the question. */
function fileName(text: string): string {
  const words =
    autoTitle(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${words.slice(0, 5).join('-') || 'prompt'}.desk.md`;
}
