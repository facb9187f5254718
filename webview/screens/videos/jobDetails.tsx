import type { VideoFile, VideoJob } from '../../../src/protocol/videos';
import { fill } from '../../components/fill';
import { Note } from '../../components/note';
import { FileActions } from './fileActions';
import { NoteList } from './notes';
import { Player } from './player';
import type { Videos } from './videosContext';
import { titled } from '../../../src/protocol/sentences';

interface JobProps {
  readonly job: VideoJob;
  readonly videos: Videos;
}

export function JobDetails({ job, videos }: JobProps) {
  const { session } = videos;
  const trouble = session.trouble.value;
  return (
    <div class="video-details" id={`details-${job.id}`}>
      {trouble?.job === job.id && (
        <NoteList notices={[{ ...trouble, tone: 'error' }]} onAct={(action) => session.act(action)} />
      )}
      {job.trouble && <NoteList notices={[job.trouble]} onAct={(action) => session.act(action)} />}
      {job.files.map((file) => (
        <File key={file.index} file={file} job={job} videos={videos} />
      ))}
      <JobActions job={job} videos={videos} />
      <Facts job={job} videos={videos} />
    </div>
  );
}

function File({ file, job, videos }: JobProps & { readonly file: VideoFile }) {
  const { session, strings } = videos;
  if (file.uri === undefined) {
    return (
      <Note
        tone="warning"
        title={strings.fileGone}
        detail={titled(file.name, strings.fileGoneDetail)}
        actions={[]}
        onAct={() => undefined}
      />
    );
  }
  const act = (action: Parameters<typeof session.actOnFile>[2]) => void session.actOnFile(job.id, file.index, action);
  return (
    <div class="video-file">
      <Player
        key={file.uri}
        uri={file.uri}
        file={file}
        job={job}
        videos={videos}
        onOpenOutside={() => act('openOutside')}
      />
      <FileActions videos={videos} onAct={act} />
    </div>
  );
}

function JobActions({ job, videos: { session, strings } }: JobProps) {
  return (
    <div class="video-actions" role="group" aria-label={strings.actions}>
      {job.actions.map(({ id, label, hint }) => (
        <button type="button" class="link" key={id} title={hint} onClick={() => void session.actOnJob(job.id, id)}>
          {label}
        </button>
      ))}
      {job.seed !== undefined && (
        <button type="button" class="link" onClick={() => session.useSeed(job.seed ?? '')}>
          {fill(strings.useSeed, job.seed)}
        </button>
      )}
    </div>
  );
}

function Facts({ job, videos: { strings } }: JobProps) {
  return (
    <div class="video-facts">
      {job.pictureUri && <img class="video-picture-image" src={job.pictureUri} alt={strings.fromPicture} />}
      <dl>
        {job.negativePrompt && <Fact name={strings.without} value={job.negativePrompt} />}
        {job.facts.map((fact) => (
          <Fact key={fact.name} {...fact} />
        ))}
      </dl>
    </div>
  );
}

function Fact({ name, value, hint }: VideoJob['facts'][number]) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto" title={hint}>
        {value}
      </dd>
    </div>
  );
}
