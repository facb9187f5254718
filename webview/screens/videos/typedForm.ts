import { signal } from '@preact/signals';
import { emptyVideoForm } from '../../../src/protocol/videos';
import type { VideoForm, VideoIssues, VideosPage, VideosScreen } from '../../../src/protocol/videos';
import { createPendingEdits } from '../../components/pendingEdits';
import type { Host } from '../../host';
import { createFormSync } from '../formSync';

export interface TypedFormOptions {
  readonly host: Host<VideosScreen>;
  readonly save: () => void;
  readonly fail: (error: unknown) => void;
}

/** What is typed, told to the host soon after, and what the host says of it. */
export function createTypedForm({ host, save, fail }: TypedFormOptions) {
  const form = signal<VideoForm>(host.load()?.form ?? emptyVideoForm);
  const issues = signal<VideoIssues>({});
  const early = createPendingEdits<VideoForm>();
  const teller = createFormSync({
    form,
    ask: (told) => host.call('videos/form', { form: told }),
    onAnswer: (answer) => (issues.value = answer.issues),
    fail,
  });

  const keep = () => {
    save();
    teller.tellSoon();
  };
  const edit = (part: Partial<VideoForm>) => {
    form.value = { ...form.peek(), ...part };
    if (!early.note(part)) keep();
  };
  return {
    form,
    issues,
    edit,
    /** The host has told its form. */
    begin() {
      if (early.end()) keep();
    },
    /** Resolves when what the host says of what is typed now is shown. */
    settled: () => teller.settled(),
    /** `typed`: what was typed before the page was loaded anew, where it was for the same form. */
    take(page: Pick<VideosPage, 'form' | 'issues'>, typed?: VideoForm) {
      teller.cancel();
      form.value = early.over(typed ?? page.form);
      issues.value = page.issues;
      if (typed) void teller.tell();
    },
    /** The host may have found a model to begin with, and judges the form by the models it knows now. */
    takeOver(page: Pick<VideosPage, 'form' | 'issues'>) {
      if (form.peek().model === '' && page.form.model !== '') edit({ model: page.form.model });
      if (!teller.isWaiting) issues.value = page.issues;
    },
  };
}
