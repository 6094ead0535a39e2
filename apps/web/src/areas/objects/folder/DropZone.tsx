import { IconBan, IconUpload } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Trans } from '../../../lib/text/Trans.tsx'
import { uploadFiles } from '../../../transfers/upload-files.ts'
import { filesFromDrop } from '../../../transfers/uploads/collect-files.ts'
import { useDisabledReason } from '../../../ui/controls/Disabled.tsx'
import { Icon } from '../../../ui/icons/Icon.tsx'
import { ObjectName } from '../../../ui/values/ObjectName.tsx'
import css from '../styles/objects.module.css'

/** Uploads files and folders that are dropped anywhere on the open folder. */
export function DropZone({ bucket, prefix, children }: { bucket: string; prefix: string; children: ReactNode }) {
  const [over, setOver] = useState(false)
  const reason = useDisabledReason({ bucket, prefix })('s3:PutObject')
  // Child elements fire enter and leave events too; the pointer is inside if there were more enters than leaves.
  const depth = useRef(0)
  const isFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const leave = () => {
    depth.current = 0
    setOver(false)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for the pointer only; the Upload button does the same by keyboard
    <div
      className={css.zone}
      onDragEnter={(event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        depth.current++
        setOver(true)
      }}
      onDragOver={(event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = reason ? 'none' : 'copy'
      }}
      onDragLeave={(event) => {
        if (isFiles(event) && --depth.current <= 0) leave()
      }}
      onDrop={(event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        leave()
        if (reason) return
        void filesFromDrop(event.dataTransfer.items).then((collected) => uploadFiles(bucket, prefix, collected))
      }}
    >
      {children}
      {over && (
        <div className={css.drop}>
          <div className={css.dropText}>
            <Icon of={reason ? IconBan : IconUpload} />
            <span>
              {reason || (
                <Trans
                  text="Drop to upload into <folder/>"
                  parts={{
                    folder: (
                      <code>
                        <ObjectName name={`${bucket}/${prefix}`} />
                      </code>
                    ),
                  }}
                />
              )}
            </span>
          </div>
        </div>
      )}
    </div>
  )
}
