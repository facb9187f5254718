import path from 'node:path';
import * as vscode from 'vscode';
import { l10n } from 'vscode';
import { recipeEnding } from '../../core/assets/recipe';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import { reasonText } from '../../platform/errors/fileErrorMessages';
import type { Asset } from '../../services/media/media';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { askInsert } from './insert/insertQuestions';
import type { MediaQuestions } from './mediaQuestions';
import { generatedIcon, sizeWords, titleOf } from './view/generatedMessages';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';

/** Most files offered; older ones are found in the gallery. */
const mostOffered = 200;

/** Asks with VS Code's dialogs and quick picks. */
export const mediaQuestions: MediaQuestions = {
  insert: askInsert,
  async made(made) {
    const answer = await askPick({
      title: l10n.t('Images and Videos'),
      placeholder: l10n.t('Which one? Words of its prompt, its model or its name find it.'),
      canGoBack: false,
      canFilter: true,
      items: made.slice(0, mostOffered).map(toItem),
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  async service({ recipe }, active, fitting) {
    const use = (profile: typeof active, label: string, icon: string) => ({
      label,
      detail: profile.baseUrl,
      iconPath: new vscode.ThemeIcon(icon),
      value: { profile },
    });
    const answer = await askPick({
      title: l10n.t('This was made at another service: {0}', hostOf(recipe.service)),
      placeholder: l10n.t('Where should it be sent? It is paid for there, and the model may have another name.'),
      canGoBack: false,
      items: [
        ...fitting.map((profile) => use(profile, l10n.t('Switch to {0}', foreign(profile.name)), 'arrow-swap')),
        use(active, l10n.t('Send to {0}', active.name), 'send'),
      ],
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  async target(file, suggested) {
    const ending = path.extname(file).slice(1);
    return vscode.window.showSaveDialog({
      title: l10n.t('Save As'),
      defaultUri: suggested,
      ...(ending !== '' && { filters: { [ending.toUpperCase()]: [ending], [l10n.t('All Files')]: ['*'] } }),
    });
  },
  async withRecipe(file, replaces) {
    const answer = await askPick<'with' | 'without'>({
      title: l10n.t('Save As'),
      placeholder: l10n.t('The recipe tells how it was made: the prompt, the model, the seed.'),
      canGoBack: false,
      items: [
        { label: l10n.t('Without the recipe'), iconPath: new vscode.ThemeIcon('file-media'), value: 'without' },
        {
          label: replaces ? l10n.t('With the recipe, replacing the one there') : l10n.t('With the recipe'),
          detail: path.basename(file) + recipeEnding,
          iconPath: new vscode.ThemeIcon('file-code'),
          value: 'with',
        },
      ],
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  remove: ([file = '', ...others]) =>
    confirm({
      ...(others.length === 0
        ? {
            title: l10n.t('Move “{0}” to the trash?', foreign(path.basename(file))),
            detail: l10n.t('Its recipe goes along. Texts that name the file do not find it any more.'),
          }
        : {
            title: l10n.t('Move {0} files to the trash?', others.length + 1),
            detail: l10n.t('Their recipes go along. Texts that name the files do not find them any more.'),
          }),
      action: l10n.t('Move to Trash'),
    }),
  removeForGood: ([file = '', ...others], error) =>
    confirm({
      ...(others.length === 0
        ? {
            title: l10n.t('Delete “{0}” for good?', foreign(path.basename(file))),
            detail: l10n.t(
              'It could not be moved to the trash: {0} Deleted with its recipe, it cannot be brought back.',
              reasonText(error),
            ),
          }
        : {
            title: l10n.t('Delete {0} files for good?', others.length + 1),
            detail: l10n.t(
              'They could not be moved to the trash: {0} Deleted with their recipes, they cannot be brought back.',
              reasonText(error),
            ),
          }),
      action: l10n.t('Delete'),
    }),
  async saveInstead() {
    const save = l10n.t('Save As…');
    const message = l10n.t(
      'The editor runs in a browser or on another machine, so that no program of this one can open the file. Save it where you can reach it, or into the project and download it from the Explorer.',
    );
    return (await showMessage('information', message, save)) === save;
  },
  forget: (jobs) => {
    const isOne = jobs.length === 1;
    const followed = isOne
      ? l10n.t('It is not followed any more: what the service makes of it is paid for, and not saved here.')
      : l10n.t('They are not followed any more: what the service makes of them is paid for, and not saved here.');
    return confirm({
      title: isOne ? l10n.t('Forget this order?') : l10n.t('Forget {0} orders?', jobs.length),
      detail: jobs.some(({ stage }) => stage === 'running' || stage === 'fetching' || stage === 'unknown')
        ? followed
        : l10n.t('What was ordered is not kept any more. Files that were saved stay.'),
      action: l10n.t('Forget'),
    });
  },
  retry: ({ length }) =>
    confirm({
      title: l10n.t('Retry {0} orders?', numberText(length, vscode.env.language)),
      detail: l10n.t('You are charged for each image and video that is made.'),
      action: l10n.t('Retry'),
    }),
  fetchLarge: ({ trouble }) =>
    confirm({
      title: l10n.t('Save it although it is large?'),
      detail: trouble?.message ?? '',
      action: l10n.t('Save'),
    }),
};

function toItem(asset: Asset): PickItem<Asset> {
  const { recipe, path: file } = asset;
  const age = ageWords(Date.parse(recipe.createdAt), Date.now(), vscode.env.language);
  return {
    label: titleOf(recipe),
    description: [sizeWords(recipe), age].filter(Boolean).join(' · '),
    detail: `${recipe.request.model} · ${path.basename(file)}`,
    iconPath: generatedIcon(asset),
    value: asset,
  };
}

function hostOf(service: string): string {
  return URL.canParse(service) ? new URL(service).host : service;
}

interface Question {
  readonly title: string;
  readonly detail: string;
  readonly action: string;
}

async function confirm({ title, detail, action }: Question): Promise<boolean> {
  return (await showMessage('warning', title, { modal: true, detail }, action)) === action;
}
