import * as l10n from '@vscode/l10n';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { MakingError } from '../../../core/batch/making/makingError';
import { compileTemplate } from '../../../core/batch/making/template';
import { templateWords } from '../../../core/batch/words/makingWords';
import { shortened } from '../../../platform/displayText';
import { askPick, askText } from '../../../platform/quickInput';
import type { PickItem, StepResult } from '../../../platform/quickInput';
import { columnsText } from '../logic/columnsText';
import { complaint } from './failures';
import type { PromptEditors } from './promptEditors';
import { fromOneLine, toOneLine } from '../logic/promptText';
import type { Memory } from '../logic/remembered';
import { foreign } from '../../../core/text/foreignText';

interface PromptStep {
  readonly title: string;
  readonly columns: readonly string[];
  /** The initial text of the input box. */
  readonly value: string;
  readonly memory: Memory;
  readonly editors: PromptEditors;
  readonly canGoBack: boolean;
}

type Choice = 'type' | 'write' | 'file' | { readonly prompt: string };

/** Asks for a prompt: typed, used before, the text of the active editor, or from a file. */
export async function askPrompt(step: PromptStep): Promise<StepResult<string>> {
  for (;;) {
    const { title, columns, canGoBack } = step;
    const placeholder = l10n.t('Select a prompt. Available columns: {0}', columnsText(columns));
    const chosen = await askPick<Choice>({ title, placeholder, canGoBack, canFilter: true, items: choices(step) });
    if (chosen.kind !== 'value') return chosen;
    const answer = await take(chosen.value, step);
    if (answer.kind !== 'back') return answer;
  }
}

function choices({ columns, memory }: PromptStep): readonly PickItem<Choice>[] {
  const fits = (prompt: string) => complaint(() => compileTemplate(prompt, columns)) === undefined;
  const used = memory.get().prompts.filter(fits);
  const editor = vscode.window.activeTextEditor?.document;
  const text = editor && editor.languageId !== 'jsonl' && editor.lineCount < 1000 ? editor.getText() : '';
  const isPrompt = text.includes('{{') && fits(text);
  return [
    { label: l10n.t('Enter Prompt…'), iconPath: new vscode.ThemeIcon('edit'), value: 'type' },
    {
      label: l10n.t('Open Prompt in Editor…'),
      description: l10n.t('several lines, with a list of columns'),
      iconPath: new vscode.ThemeIcon('output'),
      value: 'write',
    },
    { label: l10n.t('Choose Prompt File…'), iconPath: new vscode.ThemeIcon('folder-opened'), value: 'file' },
    ...(editor && isPrompt
      ? [
          {
            label: l10n.t('Text of {0}', foreign(path.posix.basename(editor.uri.path))),
            detail: shortened(toOneLine(text), 90),
            iconPath: new vscode.ThemeIcon('file'),
            value: { prompt: text.trim() },
          },
        ]
      : []),
    ...(used.length > 0 ? [{ label: l10n.t('Recently used'), kind: vscode.QuickPickItemKind.Separator }] : []),
    ...used.map((prompt) => ({
      label: shortened(toOneLine(prompt), 90),
      iconPath: new vscode.ThemeIcon('history'),
      value: { prompt },
    })),
  ];
}

async function take(choice: Choice, step: PromptStep): Promise<StepResult<string>> {
  if (choice === 'type') return typePrompt(step, step.memory.get().draft || toOneLine(step.value));
  if (choice === 'write') return writePrompt(step, fromOneLine(step.memory.get().draft) || step.value);
  if (choice === 'file') return promptOfFile(step);
  return { kind: 'value', value: choice.prompt };
}

async function typePrompt({ title, columns, memory }: PromptStep, value: string): Promise<StepResult<string>> {
  const typed = await askText({
    title,
    prompt: l10n.t('Columns: {0}. Line break: \\n.', columnsText(columns)),
    value,
    canGoBack: true,
    onTyped: (draft) => memory.set({ draft }),
    check: (text) => {
      if (text.trim() === '') return l10n.t('Enter a prompt.');
      return complaint(() => compileTemplate(fromOneLine(text), columns));
    },
  });
  return typed.kind === 'value' ? { kind: 'value', value: fromOneLine(typed.value) } : typed;
}

/** The flow waits while the prompt is written. Closing its document cancels the flow; the draft is offered the next time. */
async function writePrompt({ columns, memory, editors }: PromptStep, text: string): Promise<StepResult<string>> {
  const prompt = await editors.write({
    text,
    columns,
    check: (written) => {
      if (written === '') throw new MakingError(templateWords.noPrompt());
      compileTemplate(written, columns);
    },
    onTyped: (written) => memory.set({ draft: toOneLine(written) }),
  });
  return prompt === undefined ? { kind: 'cancelled' } : { kind: 'value', value: prompt };
}

/** A prompt that does not fit the columns is opened in an editor, so that the user can fix it there. */
async function promptOfFile(step: PromptStep): Promise<StepResult<string>> {
  const [uri] = (await vscode.window.showOpenDialog({ title: step.title })) ?? [];
  if (!uri) return { kind: 'back' };
  const prompt = (await readFile(uri.fsPath, 'utf8')).trim();
  const fits = prompt !== '' && complaint(() => compileTemplate(prompt, step.columns)) === undefined;
  return fits ? { kind: 'value', value: prompt } : writePrompt(step, prompt);
}
