import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { modelsForJob } from '../../core/catalogue/jobs';
import { numberText } from '../../platform/displayText';
import { runCommand } from '../../platform/contributions';
import type { Services } from '../../services/services';
import { chosenModels, isPlain } from './logic/chosenModels';
import type { EditorModels } from './editorModels';
import { learnedWords } from './editorModels';
import { isChatThere, signedInHere, useChosenInEditorChat } from './useInEditorChat';
import { createQuickPick } from '../../platform/notify';

interface ModelRow extends vscode.QuickPickItem {
  readonly id: string;
}

/**
 * Opens our part of VS Code's "Manage Language Models": which chat models it lists, with buttons for the key and for known facts about the
 * models. Opens VS Code Chat with a model that was added, so that the first message to it is answered. Registered as `managementCommand` in
 * package.json, which a later VS Code might replace with a `configuration`.
 */
export async function manageModels(services: Services, { capabilities }: EditorModels): Promise<void> {
  if (!(await signedInHere(services))) return;
  const state = await services.models.ensureFresh();
  const offered = modelsForJob('chat', state.models, state.pins).filter(({ id }) => isPlain(id));
  if (offered.length === 0 && state.error !== undefined) throw state.error;
  const chosen = new Set(chosenModels(state).map(({ id }) => id));
  const rows = await Promise.all(
    offered.map(async ({ id }): Promise<ModelRow> => {
      const known = await capabilities.of({ profile: state.profileId ?? '', model: id });
      const { tools, images, contextTokens } = known.capabilities;
      return {
        id,
        label: id,
        description: [
          tools ? l10n.t('tools') : l10n.t('no tools'),
          ...(images ? [l10n.t('images')] : []),
          l10n.t('{0} tokens', numberText(contextTokens, vscode.env.language)),
          ...(learnedWords(known.learned).length > 0 ? [l10n.t('limits learned from rejected requests')] : []),
        ].join(' · '),
        picked: chosen.has(id),
      };
    }),
  );
  const picked = await pickModels(rows);
  if (!picked) return;
  await keepChoice(services, { rows, chosen, picked });
  const inPicker = rows.filter(({ id }) => picked.has(id));
  const added = inPicker.find(({ id }) => !chosen.has(id));
  const first = added ?? (isChatThere() ? undefined : inPicker[0]);
  if (first) await useChosenInEditorChat(services, first.id);
}

interface Choice {
  readonly rows: readonly ModelRow[];
  readonly chosen: ReadonlySet<string>;
  readonly picked: ReadonlySet<string>;
}

async function keepChoice({ models }: Services, { rows, chosen, picked }: Choice): Promise<void> {
  for (const { id } of rows) {
    if (picked.has(id) === chosen.has(id)) continue;
    await models.setPinned(id, picked.has(id));
    // A default also counts as selected. When deselected, it is no longer the default.
    if (!picked.has(id) && models.state.defaults.chat === id) await models.setDefault('chat', undefined);
  }
}

/** `undefined` if the user cancels or continues with something else. */
function pickModels(rows: readonly ModelRow[]): Promise<ReadonlySet<string> | undefined> {
  const pick = createQuickPick<ModelRow>();
  const key = { iconPath: new vscode.ThemeIcon('key'), tooltip: l10n.t('Manage Key') };
  const setting = {
    iconPath: new vscode.ThemeIcon('gear'),
    tooltip: l10n.t('Open Model Capabilities Setting'),
  };
  const forget = { iconPath: new vscode.ThemeIcon('discard'), tooltip: l10n.t('Reset Learned Model Limits') };
  pick.title = l10n.t('Models in VS Code Chat');
  pick.placeholder = l10n.t('Selected models are pinned and appear in the model picker');
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.items = rows;
  pick.selectedItems = rows.filter(({ picked }) => picked);
  pick.buttons = [key, setting, forget];
  return new Promise((resolve) => {
    let picked: ReadonlySet<string> | undefined;
    pick.onDidAccept(() => {
      picked = new Set(pick.selectedItems.map(({ id }) => id));
      pick.hide();
    });
    pick.onDidTriggerButton((button) => {
      pick.hide();
      if (button === key) void runCommand('inferenceDesk.manageKey');
      else if (button === forget) void runCommand('inferenceDesk.editorChat.forgetRefusals');
      else void vscode.commands.executeCommand('workbench.action.openSettings', 'inferenceDesk.models.capabilities');
    });
    pick.onDidHide(() => {
      pick.dispose();
      resolve(picked);
    });
    pick.show();
  });
}
