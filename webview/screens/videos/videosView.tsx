import { JobList } from './jobList';
import { Notes } from './notes';
import { ImageDrop } from './imageDrop';
import { VideoFields } from './videoForm';
import type { Videos } from './videosContext';

/** The form, with the jobs below it or, if the page is wide enough, beside it. */
export function VideosView({ videos }: { readonly videos: Videos }) {
  return (
    <>
      <h1 class="videos-title">{videos.strings.title}</h1>
      <div class="videos-parts">
        <section class="videos-new" aria-label={videos.strings.form}>
          <VideoFields videos={videos} />
          <Notes videos={videos} />
        </section>
        <JobList videos={videos} />
      </div>
      <ImageDrop videos={videos} />
    </>
  );
}
