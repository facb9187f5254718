import * as vscode from 'vscode';
import { DisposableStore } from '../../platform/disposables';
import { foreign } from '../../core/text/foreignText';
import { createQuickPick } from '../../platform/notify';

const kept = 20;
const key = 'findByMeaning.questions';

/** Questions asked in this workspace, newest first. */
export interface Questions {
  readonly list: readonly string[];
  add(question: string): Thenable<void>;
}

export function createQuestions({ workspaceState }: vscode.ExtensionContext): Questions {
  const read = (): readonly string[] => {
    const stored = workspaceState.get<unknown>(key);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  };
  return {
    get list() {
      return read();
    },
    add: (question) =>
      workspaceState.update(key, [question, ...read().filter((one) => one !== question)].slice(0, kept)),
  };
}

interface QuestionRow extends vscode.QuickPickItem {
  readonly question: string;
}

/** Asks for a question; `undefined` on cancel. `held`: the question whose results are still available. */
export function askQuestion(
  questions: readonly string[],
  { typed, held }: { readonly typed: string; readonly held: string | undefined },
): Promise<string | undefined> {
  const store = new DisposableStore();
  const pick = store.add(createQuickPick<QuestionRow>());
  pick.title = vscode.l10n.t('Rank Files for…');
  pick.placeholder = vscode.l10n.t('What are you looking for? For example: where an upload is tried again');
  pick.ignoreFocusOut = true;
  pick.value = typed;
  const describe = (question: string) => (question === held ? vscode.l10n.t('found already, shown again') : '');
  const asked = questions.map((one) => toRow(one, describe(one)));
  // The typed question goes last: if rows moved while the user presses Enter, another would be taken. VS Code shows it first anyway.
  const draw = () => {
    const own = pick.value.trim();
    const isNew = own !== '' && !questions.includes(own);
    pick.items = isNew ? [...asked, { ...toRow(own, vscode.l10n.t('Find')), alwaysShow: true }] : asked;
  };
  draw();
  return new Promise<string | undefined>((resolve) => {
    store.add(pick.onDidChangeValue(draw));
    store.add(
      pick.onDidAccept(() => {
        // Enter may arrive before the row of the typed question exists.
        const question = pick.selectedItems[0]?.question ?? pick.value.trim();
        if (question !== '') resolve(question);
      }),
    );
    store.add(pick.onDidHide(() => resolve(undefined)));
    pick.show();
  }).finally(() => store.dispose());
}

function toRow(question: string, description: string): QuestionRow {
  return { label: foreign(question, 300), description, question };
}
