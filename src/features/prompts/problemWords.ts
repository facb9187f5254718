import { env, l10n } from 'vscode';
import { mostComparedModels, mostFrontMatterCharacters, mostPromptCharacters } from '../../core/prompts/prompt';
import type { PromptProblem, ValueKind } from '../../core/prompts/promptProblem';
import { numberText } from '../../platform/displayText';
import { parameterWords } from '../../platform/errors/parameterMessages';
import { sentences } from '../../protocol/sentences';
import { foreign } from '../../core/text/foreignText';

/** Says what is wrong and what to do. */
export function problemWords(problem: PromptProblem): string {
  const { name = '', issue, expected = 'text', suggestions: [suggestion] = [] } = problem;
  const meant = suggestion === undefined ? undefined : l10n.t('Did you mean {0}?', suggestion);
  const count = (value: number) => numberText(value, env.language);
  switch (problem.code) {
    case 'file.conflict':
      return l10n.t('A merge is not finished here. Resolve it first.');
    case 'file.too-large':
      return l10n.t(
        'This is longer than a prompt can be: {0} characters, of them {1} of front matter.',
        count(mostPromptCharacters),
        count(mostFrontMatterCharacters),
      );
    case 'front-matter.not-closed':
      return l10n.t('The front matter is not closed. End it with a line of three hyphens: ---');
    case 'front-matter.not-mapping':
      return l10n.t('Front matter is names with their values, e.g. model: vendor/name');
    case 'yaml.invalid':
      return l10n.t('This is not valid YAML: {0}', problem.detail ?? '');
    case 'key.unknown':
      return sentences(l10n.t('Nothing is named {0} here.', foreign(name)), meant);
    case 'key.misplaced':
      return name === 'system' || name === 'model'
        ? l10n.t('{0} stands at the top, not under parameters.', foreign(name))
        : l10n.t('{0} stands under parameters.', foreign(name));
    case 'value.wrong-type':
      return typeWords(expected, name);
    case 'parameter.out-of-bounds':
      return issue ? parameterWords(issue) : '';
    case 'parameter.unusual':
      return issue ? sentences(parameterWords(issue), l10n.t('It is sent, and the service may refuse it.')) : '';
    case 'model.unknown':
      return sentences(l10n.t('The service does not list the model {0}.', foreign(name)), meant);
    case 'model.not-chat':
      return sentences(l10n.t('{0} is no model for chat.', foreign(name)), meant);
    case 'models.too-many':
      return l10n.t(
        'At most {0} models are compared at once; {1} is left out.',
        count(mostComparedModels),
        foreign(name),
      );
    case 'variable.undeclared':
      return sentences(l10n.t('{0} is not declared: it is asked for when the prompt is run.', foreign(name)), meant);
    case 'variable.unused':
      return l10n.t('{0} stands nowhere in the prompt.', foreign(name));
    case 'variable.bad-name':
      return l10n.t('The name of a variable has no braces, and no space before or after it.');
    case 'variable.default-not-option':
      return sentences(l10n.t('The default is none of the options.'), meant);
    case 'text.empty':
      return l10n.t('There is nothing to ask. Write the prompt below the front matter.');
  }
}

function typeWords(expected: ValueKind, name: string): string {
  switch (expected) {
    case 'text':
      return l10n.t('{0} takes a text.', foreign(name));
    case 'number':
      return l10n.t('{0} takes a number.', foreign(name));
    case 'list of texts':
      return l10n.t('{0} takes a list, e.g. [one, two]', foreign(name));
    case 'mapping':
      return l10n.t('{0} takes names with their values.', foreign(name));
  }
}
