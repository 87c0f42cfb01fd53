/** Subscribes to a dashboard or an insight by email. For everyone who sees it. */
import { useState } from 'react';
import { Button } from '#views/kit/Button.tsx';
import { Late } from '#views/kit/Late.tsx';
import { lazyPart } from '#views/kit/lazy-part.tsx';
import { WideLabel } from '#views/kit/WideLabel.tsx';
import { reportButtonWords } from '#views/words/report-button.ts';
import { usePart } from '#views/words/words.tsx';
import type { ReportDialogProps } from './ReportDialog.tsx';

const ReportDialog = lazyPart<ReportDialogProps>(
  'reports',
  async () => (await import('#views/areas/reports.ts')).ReportDialog,
);

interface SubscribeButtonProps {
  project: string;
  subject: { kind: 'dashboard' | 'insight'; id: number };
  /** Of the dashboard or insight. */
  name: string;
}

export function SubscribeButton({ project, subject, name }: SubscribeButtonProps) {
  const own = usePart(reportButtonWords);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button small icon="mail" className="script-only" onClick={() => setIsOpen(true)}>
        <WideLabel>{own.subscribe}</WideLabel>
      </Button>
      {isOpen && (
        <Late>
          <ReportDialog
            project={project}
            subject={subject}
            name={name}
            report={null}
            onClose={() => setIsOpen(false)}
          />
        </Late>
      )}
    </>
  );
}
