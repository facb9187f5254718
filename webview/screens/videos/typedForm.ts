import { signal } from '@preact/signals';
import { emptyVideoForm } from '../../../src/protocol/videoForm';
import type { VideoForm, VideoIssues, VideosPage, VideosScreen } from '../../../src/protocol/videos';
import { createPendingEdits } from '../../components/pendingEdits';
import type { Host } from '../../host';
import { createFormSync } from '../formSync';

export interface TypedFormOptions {
  readonly host: Host<VideosScreen>;
  readonly save: () => void;
  readonly fail: (error: unknown) => void;
}

/** The typed form, sent to the host with a debounce, and the host's response. */
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
    /** Ends the early phase, once the host has sent its form. */
    begin() {
      if (early.end()) keep();
    },
    /** Resolves once the host's response to the current form is shown. */
    settled: () => teller.settled(),
    /** `typed`: what was typed before a reload, if it was for the same form. */
    take(page: VideosPage, typed?: VideoForm) {
      teller.cancel();
      form.value = early.over(typed ?? page.form);
      issues.value = page.issues;
      if (typed) void teller.tell();
    },
    /** Applies a model the host found to start with, and the issues it found with the models it knows now. */
    takeOver(page: VideosPage) {
      if (form.peek().model === '' && page.form.model !== '') edit({ model: page.form.model });
      if (!teller.isWaiting) issues.value = page.issues;
    },
  };
}
