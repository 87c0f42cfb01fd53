/** The page of a link in a report's mail: agreeing to get it, ending it. Without a session, a script or a link into the product. Server only. */
import type { ReportSchedule } from '#src/reports/values.ts';
import { Button } from '#views/kit/Button.tsx';
import { Mark } from '#views/kit/Icon.tsx';
import type { Language } from '#views/words/en.ts';
import { reportLinkWords } from '#views/words/report-links.ts';
import { reportRules, scheduleText } from '#views/words/report-rules.ts';
import { PublicHead } from './PublicHead.tsx';
import css from './SharedPage.module.css';

/** What the page asks or says. */
export type ReportLinkState = 'confirm' | 'confirmed' | 'declined' | 'unsubscribe' | 'unsubscribed' | 'gone';

export interface ReportLinkPageProps {
  state: ReportLinkState;
  /** Absent of a link that is gone. */
  about?: { project: string; name: string; schedule: ReportSchedule };
  language: Language;
  path: string;
  styles: readonly string[];
}

export function ReportLinkPage({ state, about, language, path, styles }: ReportLinkPageProps) {
  const own = reportLinkWords[language];
  const rules = reportRules[language];
  const report = about === undefined || about.name === '' ? rules.summary : about.name;
  const said = about === undefined ? '' : own.confirmText(report, about.project, scheduleText(about.schedule, rules));
  const texts: Record<ReportLinkState, [string, string]> = {
    confirm: [own.confirmTitle, said],
    confirmed: [own.confirmed, own.confirmedText],
    declined: [own.declined, own.declinedText],
    unsubscribe: [own.unsubscribeTitle, said],
    unsubscribed: [own.unsubscribed, own.unsubscribedText(report)],
    gone: [own.goneTitle, own.goneText],
  };
  const [title, text] = texts[state];
  return (
    <html lang={language}>
      <PublicHead title={title} styles={styles} />
      <body>
        <div className={css['page']}>
          <main>
            <form method="post" action={path} className={css['ask']}>
              <Mark />
              <h1>{title}</h1>
              <p>{text}</p>
              {state === 'confirm' && (
                <>
                  <Button type="submit" kind="primary" name="action" value="confirm">
                    {own.confirm}
                  </Button>
                  <Button type="submit" name="action" value="decline">
                    {own.decline}
                  </Button>
                </>
              )}
              {state === 'unsubscribe' && (
                <Button type="submit" kind="primary" name="action" value="unsubscribe">
                  {own.unsubscribe}
                </Button>
              )}
            </form>
          </main>
        </div>
      </body>
    </html>
  );
}
