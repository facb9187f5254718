import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { mostComparedModels } from '../../core/prompts/prompt';
import { numberText } from '../../platform/displayText';
import type { CatalogueState } from '../../services/models/modelCatalogue';
import { createQuickPick } from '../../platform/notify';

/** Asks for two to four models; `chosen` are preselected. `undefined` if the person cancels. */
export async function chooseModels(
  title: string,
  { models, pins }: CatalogueState,
  chosen: readonly string[],
): Promise<readonly string[] | undefined> {
  const listed = modelsForJob('chat', models, pins).map(({ id }) => id);
  const pick = createQuickPick<vscode.QuickPickItem & { readonly id: string }>();
  pick.title = title;
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.items = [...new Set([...chosen, ...listed])].map((id) => ({ id, label: id }));
  pick.selectedItems = pick.items.filter(({ id }) => chosen.includes(id));
  const tell = () => {
    const count = pick.selectedItems.length;
    const [most, chosenCount] = [mostComparedModels, count].map((value) => numberText(value, vscode.env.language));
    pick.placeholder = l10n.t('Choose 2 to {0} models to compare ({1} chosen)', most ?? '', chosenCount ?? '');
    return count >= 2 && count <= mostComparedModels;
  };
  tell();
  return new Promise<readonly string[] | undefined>((resolve) => {
    pick.onDidChangeSelection(tell);
    pick.onDidAccept(() => {
      if (tell()) resolve(pick.selectedItems.map(({ id }) => id));
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}
