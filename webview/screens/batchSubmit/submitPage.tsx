import { SendFacts } from '../../components/sendFacts';
import { CheckSection } from './checkSection';
import { Head } from './head';
import { Options } from './options';
import { Receipt } from './receipt';
import { SendBar } from './sendBar';
import type { Submit } from './submitContext';
import { Uploads } from './uploads';

/** The file to submit, its problems and the options; after submission, the outcome. */
export function SubmitPage({ submit }: { readonly submit: Submit }) {
  const view = submit.session.view.value;
  if (!view) return <SendBar submit={submit} />;
  return view.outcome?.kind === 'created' ? (
    <Receipt view={view} outcome={view.outcome} submit={submit} />
  ) : (
    <>
      <div class="send-body">
        <div class="send-column">
          <Head view={view} heading={view.heading} />
          <SendFacts class="submit-facts" facts={view.facts} label={submit.strings.about} />
          <CheckSection submit={submit} view={view} />
          <Uploads submit={submit} view={view} />
          <Options submit={submit} view={view} />
        </div>
      </div>
      <SendBar submit={submit} />
    </>
  );
}
