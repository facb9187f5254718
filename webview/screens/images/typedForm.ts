import { signal } from '@preact/signals';
import { emptyImageForm } from '../../../src/protocol/imageForm';
import type { ImageForm, ImageFormAnswer, ImagesScreen } from '../../../src/protocol/images';
import { createPendingEdits } from '../../components/pendingEdits';
import type { Host } from '../../host';
import { createFormSync } from '../formSync';

const nothingKnown: ImageFormAnswer = {
  issues: {},
  warnings: {},
  notTaken: {},
  sizes: [],
  ratios: [],
  plan: '',
  pictures: 0,
};

/** The typed form, sent to the host with a debounce, and the host's response. */
export function createTypedForm(host: Host<ImagesScreen>, save: () => void, fail: (error: unknown) => void) {
  const form = signal<ImageForm>(host.load()?.form ?? emptyImageForm);
  const answer = signal<ImageFormAnswer>(nothingKnown);
  const early = createPendingEdits<ImageForm>();
  const { tell, tellSoon } = createFormSync({
    form,
    ask: (told) => host.call('images/form', { form: told }),
    onAnswer: (said) => (answer.value = said),
    fail,
  });
  return {
    form,
    answer,
    tellSoon,
    take(taken: ImageForm) {
      form.value = early.over(taken);
      save();
      void tell();
    },
    /** Ends the early phase, once the host has sent its form. */
    begin() {
      if (!early.end()) return;
      save();
      tellSoon();
    },
    edit(part: Partial<ImageForm>) {
      form.value = { ...form.peek(), ...part };
      if (early.note(part)) return;
      save();
      tellSoon();
    },
  };
}
