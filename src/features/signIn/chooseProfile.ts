import * as vscode from 'vscode';
import { addressProblemWords } from './signInMessages';
import type { Profile } from '../../core/profiles/profile';
import { askPick } from '../../platform/quickInput';
import type { PickItem } from '../../platform/quickInput';
import { runAction } from '../../platform/errors/reportError';
import type { Profiles } from '../../services/account/account';

export interface ProfileQuestion {
  /** The argument of a command: a profile id, a tree row with a `profileId`, or anything else. */
  readonly asked: unknown;
  readonly title: string;
  readonly placeholder: string;
  /** Whether to skip the question if there is only one profile. */
  readonly onlyOneIsClear: boolean;
}

/** Returns the profile a command is about, asking the person if that is not clear. `undefined` if they cancel or there is none. */
export async function chooseProfile(profiles: Profiles, question: ProfileQuestion): Promise<Profile | undefined> {
  const named = profiles.get(profileIdIn(question.asked) ?? '');
  if (named) return named;
  const [only, ...others] = profiles.list;
  if (question.onlyOneIsClear && only && others.length === 0 && profiles.problems.length === 0) return only;
  const answer = await askPick<Profile | 'problem'>({
    title: question.title,
    placeholder: profiles.list.length === 0 ? vscode.l10n.t('There is no profile yet.') : question.placeholder,
    canGoBack: false,
    canFilter: true,
    items: [...profileItems(profiles), ...problemItems(profiles)],
  });
  if (answer.kind !== 'value') return undefined;
  if (answer.value !== 'problem') return answer.value;
  await runAction('profilesSetting');
  return undefined;
}

function profileItems(profiles: Profiles): readonly PickItem<Profile>[] {
  return profiles.list.map((profile) => ({
    label: profile.name,
    iconPath: new vscode.ThemeIcon(profile.id === profiles.active?.id ? 'check' : 'account'),
    description: profile.baseUrl,
    value: profile,
  }));
}

function problemItems({ problems }: Profiles): readonly PickItem<'problem'>[] {
  return problems.map(({ index, name, problem }) => ({
    label: vscode.l10n.t('{0} cannot be used', name ?? vscode.l10n.t('Entry {0}', index + 1)),
    iconPath: new vscode.ThemeIcon('warning'),
    detail: addressProblemWords(problem),
    value: 'problem',
  }));
}

function profileIdIn(asked: unknown): string | undefined {
  if (typeof asked === 'string') return asked;
  const isRow = typeof asked === 'object' && asked !== null && 'profileId' in asked;
  return isRow && typeof asked.profileId === 'string' ? asked.profileId : undefined;
}
