import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { beginningOf, oneLine } from '../../core/assets/altText';
import type { InsertForm } from '../../core/assets/insertForms';
import { recipeEnding } from '../../core/assets/recipe';
import { ageWords } from '../../platform/age';
import { numberText } from '../../platform/displayText';
import type { Asset } from '../../services/media/media';
import { mediaErrorText } from '../../services/media/mediaMessages';
import { priceLine } from '../../services/usage/costMessages';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { isBelow } from './insert/distance';
import type { CopyTarget } from './insert/insertTarget';
import type { MediaQuestions, OfferedForm } from './logic/mediaQuestions';
import { generatedIcon, sizeWords, titleOf } from './view/generatedMessages';
import { UserError } from '../../platform/errors/userError';
import { showMessage } from '../../platform/notify';
import { foreign } from '../../core/text/foreignText';
import { sentences } from '../../protocol/sentences';

/** Most files offered; older ones are found in the gallery. */
const mostOffered = 200;

/** Asks with VS Code's dialogs and quick picks. */
export const mediaQuestions: MediaQuestions = {
  insert: askInsert,
  async made(made) {
    const answer = await askPick({
      title: l10n.t('Images and Videos'),
      placeholder: l10n.t('Search by prompt, model, or file name'),
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
      title: l10n.t('Generated at another service: {0}', hostOf(recipe.service)),
      placeholder: l10n.t('Choose the account to charge for this request.'),
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
  async folder() {
    const [chosen] =
      (await vscode.window.showOpenDialog({
        title: l10n.t('Save to Folder'),
        openLabel: l10n.t('Save Here'),
        canSelectFiles: false,
        canSelectFolders: true,
      })) ?? [];
    return chosen;
  },
  async details() {
    return vscode.window.showSaveDialog({
      title: l10n.t('Export Details'),
      filters: { CSV: ['csv'], JSON: ['json'] },
    });
  },
  async withRecipe(file, replaces) {
    const answer = await askPick<'with' | 'without'>({
      title: l10n.t('Save As'),
      placeholder: l10n.t('Details include the prompt, model, and seed.'),
      canGoBack: false,
      items: [
        { label: l10n.t('Without Details'), iconPath: new vscode.ThemeIcon('file-media'), value: 'without' },
        {
          label: replaces ? l10n.t('With Details (Replace Existing)') : l10n.t('With Details'),
          detail: path.basename(file) + recipeEnding,
          iconPath: new vscode.ThemeIcon('file-code'),
          value: 'with',
        },
      ],
    });
    return answer.kind === 'value' ? answer.value : undefined;
  },
  remove: ([file = '', ...others], hasTrash) => {
    const isOne = others.length === 0;
    const consequence = isOne
      ? l10n.t('Links to the file will stop working.')
      : l10n.t('Links to the files will stop working.');
    const restorable = isOne
      ? l10n.t('You can restore it from the trash.')
      : l10n.t('You can restore them from the trash.');
    return confirm({
      title: isOne
        ? l10n.t('Delete "{0}"?', foreign(path.basename(file)))
        : l10n.t('Delete {0} files?', numberText(others.length + 1, vscode.env.language)),
      detail: sentences(consequence, hasTrash ? restorable : l10n.t('You can undo this.')),
      action: hasTrash ? l10n.t('Move to Trash') : l10n.t('Delete'),
    });
  },
  async undoRemove([file = '', ...others]) {
    const undo = l10n.t('Undo');
    const message =
      others.length === 0
        ? l10n.t('Deleted "{0}".', foreign(path.basename(file)))
        : l10n.t('Deleted {0} files.', numberText(others.length + 1, vscode.env.language));
    return (await showMessage('information', message, undo)) === undo;
  },
  async saveInstead() {
    const save = l10n.t('Save As…');
    const message = l10n.t(
      'VS Code runs in a browser or on another machine. Save a copy, or download the file from the Explorer.',
    );
    return (await showMessage('information', message, save)) === save;
  },
  forget: (jobs) => {
    const isOne = jobs.length === 1;
    const followed = isOne
      ? l10n.t("The file won't be saved, but you may still be charged.")
      : l10n.t("The files won't be saved, but you may still be charged.");
    return confirm({
      title: isOne ? l10n.t('Remove this job from the list?') : l10n.t('Remove {0} jobs from the list?', jobs.length),
      detail: jobs.some(({ stage }) => stage === 'running' || stage === 'fetching' || stage === 'unknown')
        ? followed
        : l10n.t("Saved files aren't deleted."),
      action: l10n.t('Remove from List'),
    });
  },
  retry: ({ length }, price) =>
    confirm({
      title:
        length === 1 ? l10n.t('Retry this job?') : l10n.t('Retry {0} jobs?', numberText(length, vscode.env.language)),
      detail: sentences(
        price && priceLine(price).text,
        price?.hint,
        l10n.t("You're charged for each image and video."),
      ),
      action: l10n.t('Retry'),
    }),
  regenerate: ({ recipe }, price) =>
    confirm({
      title: l10n.t('Regenerate "{0}"?', titleOf(recipe)),
      detail: sentences(`${priceLine(price).text}.`, price.hint),
      action: l10n.t('Regenerate'),
    }),
  fetchLarge: (job) =>
    confirm({
      title: l10n.t('Save this large file?'),
      detail: job.lastError ? mediaErrorText(job.lastError, job) : '',
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

/** Asks which form to insert, and where to copy the file. */
async function askInsert(
  fitting: readonly OfferedForm[],
  others: readonly OfferedForm[],
  target: CopyTarget | undefined,
): ReturnType<MediaQuestions['insert']> {
  const answer = await askPick<InsertForm | 'choose' | 'stay'>({
    title: insertTitle(),
    placeholder: target
      ? l10n.t('Select a format for the copy in {0}.', shownFolder(target))
      : l10n.t('Select a format'),
    canGoBack: false,
    canFilter: true,
    items: [
      ...fitting.map(toFormItem),
      ...(target
        ? [
            divider(l10n.t('Other locations')),
            item('folder-opened', l10n.t('Copy to Another Folder…'), 'choose' as const),
            item('file-symlink-file', l10n.t('Link to Original'), 'stay' as const),
          ]
        : []),
      divider(l10n.t('Other formats')),
      ...others.map(toFormItem),
    ],
  });
  if (answer.kind !== 'value') return undefined;
  const [{ form }] = fitting as readonly [OfferedForm];
  if (answer.value === 'stay') return { form };
  if (answer.value !== 'choose') return { form: answer.value, target };
  const chosen = target && (await chooseFolder(target.base));
  return chosen && { form, target: chosen };
}

function shownFolder({ base, folder }: CopyTarget): string {
  return folder === '' ? path.basename(base) : folder;
}

async function chooseFolder(base: string): Promise<CopyTarget | undefined> {
  const [chosen] =
    (await vscode.window.showOpenDialog({
      title: insertTitle(),
      openLabel: l10n.t('Copy Here'),
      defaultUri: vscode.Uri.file(base),
      canSelectFiles: false,
      canSelectFolders: true,
    })) ?? [];
  if (!chosen) return undefined;
  const folder = path.relative(base, chosen.fsPath);
  if (chosen.scheme === 'file' && (folder === '' || isBelow(chosen.fsPath, base))) return { base, folder };
  throw new UserError(l10n.t("This folder isn't in the project"), l10n.t('Choose a folder in "{0}".', base));
}

function insertTitle(): string {
  return l10n.t('Insert at Cursor');
}

function toFormItem({ form, text }: OfferedForm): PickItem<InsertForm> {
  return { label: formLabel(form), detail: beginningOf(oneLine(text), 160), value: form };
}

function divider(label: string): PickItem<never> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function item<T>(icon: string, label: string, value: T): PickItem<T> {
  return { label, iconPath: new vscode.ThemeIcon(icon), value };
}

function formLabel(form: InsertForm): string {
  const labels: Readonly<Record<InsertForm, string>> = {
    markdown: 'Markdown',
    html: 'HTML',
    import: l10n.t('Import'),
    css: 'CSS',
    latex: 'LaTeX',
    restructuredText: 'reStructuredText',
    asciiDoc: 'AsciiDoc',
    path: l10n.t('Path'),
  };
  return labels[form];
}
