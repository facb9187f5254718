import { DropTarget } from '../../components/dropTarget';
import { fill } from '../../components/fill';
import { Checks } from './checks';
import { readDropped } from './dropped';
import { NoteFields } from './noteFields';
import { Receipt } from './receipt';
import { Recording } from './recording';
import { SendBar } from './sendBar';
import { SpokenText } from './spokenText';
import type { Upload } from './uploadContext';
import { VoiceFields } from './voiceFields';

/** The recording to upload, its problems and the fields; after the upload, the outcome. */
export function UploadPage({ upload }: { readonly upload: Upload }) {
  const { session, strings } = upload;
  const view = session.view.value;
  const isDone = view?.outcome?.kind === 'created';
  const drop = (data: DataTransfer) =>
    void readDropped(data).then((dropped) => (dropped ? session.drop(dropped) : undefined));
  return (
    <>
      <div class="send-body">
        <div class="send-column">
          <header class="send-head">
            <h1 class="send-title" dir="auto">
              {fill(isDone ? '{0}' : strings.heading, view?.fileName ?? '')}
            </h1>
            <p class="send-place sample-place">
              {view?.sample && view.sample.place !== view.fileName && <bdi>{view.sample.place}</bdi>}
              {view && !isDone && !view.progress && <FileLinks upload={upload} hasFile={view.fileName !== ''} />}
            </p>
          </header>
          {isDone && <Receipt upload={upload} outcome={view.outcome} />}
          {view && <Recording upload={upload} view={view} />}
          {view && !isDone && (
            <>
              <Checks upload={upload} view={view} />
              <section class="send-section" aria-labelledby="voice-heading">
                <h2 id="voice-heading">{strings.voice}</h2>
                <SpokenText upload={upload} view={view} />
                <VoiceFields upload={upload} />
              </section>
              <NoteFields upload={upload} />
            </>
          )}
        </div>
      </div>
      {!isDone && <SendBar upload={upload} />}
      {view && !isDone && !view.progress && <DropTarget icon="mic" text={strings.dropHere} onDrop={drop} />}
    </>
  );
}

function FileLinks({ upload: { session, strings }, hasFile }: { readonly upload: Upload; readonly hasFile: boolean }) {
  return (
    <span class="sample-links">
      <button type="button" class="link" onClick={() => void session.ask('choose')}>
        {strings.chooseOther}
      </button>
      {hasFile && (
        <button type="button" class="link" onClick={() => void session.ask('readAgain')}>
          {strings.readAgain}
        </button>
      )}
    </span>
  );
}
