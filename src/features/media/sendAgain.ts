import { l10n } from 'vscode';
import { isSameService } from '../../core/jobs/sameService';
import type { runCommand } from '../../platform/contributions';
import type { Asset } from '../../services/media/media';
import type { Profiles } from '../../services/account/profiles';
import { UserError } from '../../platform/errors/userError';
import type { MediaQuestions } from './mediaQuestions';

export interface SendParts {
  readonly profiles: Profiles;
  readonly questions: MediaQuestions;
  readonly run: typeof runCommand;
}

const screens = {
  image: 'inferenceDesk.images.open',
  video: 'inferenceDesk.videos.open',
  speech: 'inferenceDesk.voices.open',
} as const;

/**
 * Opens the page that generated a file, and sends its request at once or fills the form with it. If the file was generated at another
 * service, first asks which profile to use. Speech opens the page of its voice.
 */
export async function sendAgain(
  as: 'regenerate' | 'vary',
  asset: Asset,
  { profiles, questions, run }: SendParts,
): Promise<void> {
  const { recipe, path } = asset;
  if (recipe.kind === 'speech' && !recipe.request.voice) throw noVoice();
  const { active, list } = profiles;
  if (active && !isSameService(recipe.service, active.baseUrl)) {
    const fitting = list.filter(({ baseUrl }) => isSameService(recipe.service, baseUrl));
    const answer = await questions.service(asset, active, fitting);
    if (!answer) return undefined;
    if (answer.profile.id !== active.id) await profiles.setActive(answer.profile.id);
  }
  return run(screens[recipe.kind], { as, path });
}

function noVoice(): UserError {
  return new UserError(
    l10n.t('This speech names no voice'),
    l10n.t('Speech is made again from the page of its voice. Its words are in the recipe.'),
  );
}
