import { signal } from '@preact/signals';
import { emptyForm } from '../../../src/protocol/rerankForm';
import type { RerankField, RerankForm } from '../../../src/protocol/rerank';
import { createPendingEdits } from '../../components/pendingEdits';
import { createFormSync } from '../formSync';
import { merged } from './form';
import type { RerankSession } from './session';

export type FormIssues = { readonly [Field in RerankField | 'query' | 'model']?: string };

/** The typed form, sent to the host with a debounce, and the host's response. */
export function createTypedForm(session: RerankSession) {
  const { host } = session;
  const form = signal<RerankForm>(host.load()?.form ?? emptyForm);
  const issues = signal<FormIssues>({});
  const early = createPendingEdits<RerankForm>();
  /** The form the host is known to have. */
  let known = emptyForm;

  const { tell, tellSoon } = createFormSync({
    form,
    ask: async (told) => {
      const answer = await host.call('rerank/form', { form: told });
      known = told;
      return answer;
    },
    onAnswer: (answer) => (issues.value = answer.issues),
    fail: (error) => session.fail(error),
  });
  const show = (typed: RerankForm) => {
    form.value = typed;
    session.save();
  };
  return {
    form,
    issues,
    /** Switches to the form of another page: shows `typed`; the host has `its`. */
    take(its: RerankForm, typed: RerankForm) {
      known = its;
      show(early.over(typed));
    },
    /** Merges changes by the host, e.g. because it found a model to start with. */
    takeOver(its: RerankForm) {
      const now = merged(known, its, form.peek());
      if (now === form.peek()) return;
      known = its;
      show(now);
    },
    tell,
    /** Ends the early phase, once the host has sent its form. */
    begin() {
      if (!early.end()) return;
      session.save();
      tellSoon();
    },
    edit(part: Partial<RerankForm>) {
      show({ ...form.peek(), ...part });
      if (!early.note(part)) tellSoon();
    },
  };
}
