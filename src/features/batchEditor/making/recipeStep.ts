import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compileRecipe } from '../../../core/batch/making/recipe';
import type { Recipe } from '../../../core/batch/making/recipe';
import { compileTemplate } from '../../../core/batch/making/template';
import { modelsForJob } from '../../../core/catalogue/jobs';
import { shortened } from '../../../platform/displayText';
import type { CatalogueState } from '../../../services/models/modelCatalogue';
import { askPick, askText } from '../../../platform/quickInput';
import type { PickItem, StepResult } from '../../../platform/quickInput';
import { columnsText } from '../logic/columnsText';
import { complaint } from '../logic/failures';
import { fromOneLine, toOneLine } from '../logic/promptText';

interface RecipeStep {
  readonly title: string;
  readonly columns: readonly string[];
  readonly catalogue: CatalogueState;
}

interface ChangeStep extends RecipeStep {
  /** Whether an ID that is typed must not be empty. */
  readonly isModelRequired: boolean;
}

type Choice = 'preview' | 'system' | 'model' | 'customId' | 'maxTokens' | 'temperature';

/**
 * Shows the parts of the requests and asks for changes until the user chooses the preview. Back returns to the prompt. The result has a
 * model unless the user left that to the batch.
 */
export async function askRecipe(start: Recipe, step: RecipeStep): Promise<StepResult<Recipe>> {
  let recipe = start;
  let isLeftToBatch = false;
  for (;;) {
    const { title } = step;
    const placeholder = l10n.t('Press Enter to preview, or select a setting to change.');
    const chosen = await askPick<Choice>({ title, placeholder, canGoBack: true, items: items(recipe) });
    if (chosen.kind !== 'value') return chosen;
    const isComplete = recipe.model !== '' || isLeftToBatch;
    if (chosen.value === 'preview' && isComplete) return { kind: 'value', value: recipe };
    const what = chosen.value === 'preview' ? 'model' : chosen.value;
    const changed = await change(recipe, what, { ...step, isModelRequired: chosen.value === 'preview' });
    if (changed.kind === 'cancelled') return changed;
    if (changed.kind === 'back') continue;
    recipe = changed.value;
    if (what === 'model') isLeftToBatch = recipe.model === '';
    if (chosen.value === 'preview') return changed;
  }
}

function items({ prompt, system, model, customId, maxTokens, temperature }: Recipe): readonly PickItem<Choice>[] {
  const own = l10n.t('model default');
  return [
    {
      label: l10n.t('Preview'),
      description: shortened(toOneLine(prompt), 70),
      iconPath: new vscode.ThemeIcon('preview'),
      value: 'preview',
    },
    { label: l10n.t('Change'), kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Model'), description: model || l10n.t('chosen at submission'), value: 'model' },
    {
      label: l10n.t('System prompt'),
      description: system === '' ? l10n.t('none') : shortened(toOneLine(system), 70),
      value: 'system',
    },
    { label: 'custom_id', description: customId, value: 'customId' },
    { label: 'max_tokens', description: maxTokens === undefined ? own : String(maxTokens), value: 'maxTokens' },
    { label: 'temperature', description: temperature === undefined ? own : String(temperature), value: 'temperature' },
  ];
}

async function change(recipe: Recipe, what: Exclude<Choice, 'preview'>, step: ChangeStep): Promise<StepResult<Recipe>> {
  switch (what) {
    case 'model':
      return mapped(await askModel(recipe.model, step), (model) => ({ ...recipe, model }));
    case 'system':
      return mapped(await askSystem(recipe.system, step), (system) => ({ ...recipe, system }));
    case 'customId':
      return mapped(await askCustomId(recipe, step), (customId) => ({ ...recipe, customId }));
    case 'maxTokens':
    case 'temperature':
      return askNumber(recipe, what, step);
  }
}

function mapped<T, U>(result: StepResult<T>, map: (value: T) => U): StepResult<U> {
  return result.kind === 'value' ? { kind: 'value', value: map(result.value) } : result;
}

/** If no models are listed, the user types the id. */
async function askModel(model: string, { title, catalogue, isModelRequired }: ChangeStep): Promise<StepResult<string>> {
  const offered = modelsForJob('chat', catalogue.models, catalogue.pins).map(({ id }) => id);
  const none = { label: l10n.t('Choose at Submission'), value: '' };
  const other = { label: l10n.t('Another Model…'), value: undefined };
  if (offered.length > 0) {
    const chosen = await askPick<{ readonly id: string | undefined }>({
      title,
      placeholder: l10n.t('Select a model for all requests'),
      canGoBack: true,
      canFilter: true,
      items: [
        ...offered.map((id) => ({ label: id, value: { id } })),
        { label: none.label, value: { id: none.value } },
        { label: other.label, value: { id: other.value } },
      ],
    });
    if (chosen.kind !== 'value') return chosen;
    if (chosen.value.id !== undefined) return { kind: 'value', value: chosen.value.id };
  }
  const prompt = isModelRequired
    ? l10n.t('Model ID for all requests')
    : l10n.t('Model ID. Leave empty to choose when you submit.');
  const check = (id: string) => (isModelRequired && id.trim() === '' ? l10n.t('Enter a model ID.') : undefined);
  return mapped(await askText({ title, prompt, value: model, canGoBack: true, check }), (id) => id.trim());
}

async function askSystem(system: string, { title, columns }: RecipeStep): Promise<StepResult<string>> {
  const typed = await askText({
    title,
    prompt: l10n.t('System prompt (optional). Columns: {0}. Line break: \\n.', columnsText(columns)),
    value: toOneLine(system),
    canGoBack: true,
    check: (text) => complaint(() => compileTemplate(fromOneLine(text), columns)),
  });
  return mapped(typed, (text) => fromOneLine(text.trim()));
}

function askCustomId(recipe: Recipe, { title, columns }: RecipeStep): Promise<StepResult<string>> {
  return askText({
    title,
    prompt: `${l10n.t('Identifies the result of each request.')} {n} ${columnsText(columns)}`,
    value: recipe.customId,
    canGoBack: true,
    check: (customId) => complaint(() => compileRecipe({ ...recipe, customId }, columns)),
  });
}

async function askNumber(
  recipe: Recipe,
  name: 'maxTokens' | 'temperature',
  { title, columns }: RecipeStep,
): Promise<StepResult<Recipe>> {
  const { [name]: before, ...rest } = recipe;
  const withNumber = (text: string): Recipe => (text.trim() === '' ? rest : { ...rest, [name]: Number(text) });
  const typed = await askText({
    title,
    prompt:
      name === 'maxTokens'
        ? l10n.t('Maximum number of response tokens. Leave empty for the default.')
        : l10n.t('temperature, from 0 to 2. Leave empty for the default.'),
    value: before === undefined ? '' : String(before),
    canGoBack: true,
    check: (text) => complaint(() => compileRecipe(withNumber(text), columns)),
  });
  return mapped(typed, withNumber);
}
