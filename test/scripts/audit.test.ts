import { expect } from 'chai'
import { auditVerdict, installedPackages } from '../../scripts/audit.ts'

const PACKAGES = new Set(['p0', 'p1'])

const report = (...severities: string[]) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      severities.map((severity, i) => [`p${i}`, { name: `p${i}`, severity, range: '<2' }]),
    ),
  })

describe('the audit of packages', () => {
  it('passes without findings, and with those that are not severe', () => {
    expect(auditVerdict(report(), PACKAGES)).deep.equal({
      failed: false,
      lines: ['audited: 0 known holes, 0 of them high or critical'],
    })
    expect(auditVerdict(report('low', 'moderate'), PACKAGES)).deep.equal({
      failed: false,
      lines: [
        'low: p0 <2',
        'moderate: p1 <2',
        'audited: 2 known holes, 0 of them high or critical',
      ],
    })
  })

  it('fails with a severe one', () => {
    for (const severity of ['high', 'critical']) {
      expect(auditVerdict(report('low', severity), PACKAGES).failed).equal(true)
    }
  })

  it('says so when the registry cannot be asked, and fails nothing', () => {
    const refused = JSON.stringify({ message: '405 Method Not Allowed', error: {} })
    const { failed, lines } = auditVerdict(refused, PACKAGES)
    expect(failed).equal(false)
    expect(lines).deep.equal(['not audited: the registry cannot be asked (405 Method Not Allowed)'])
    for (const nothing of ['', 'npm error', '{}', 'null']) {
      expect(auditVerdict(nothing, PACKAGES).lines[0]).match(/^not audited: /)
    }
  })

  it('counts packages that are installed or in the program, and no others', () => {
    expect(auditVerdict(report('low', 'critical'), new Set(['p0']))).deep.equal({
      failed: false,
      lines: ['low: p0 <2', 'audited: 1 known holes, 0 of them high or critical'],
    })
    const packages = {
      '': {},
      'node_modules/a': {},
      'node_modules/a/node_modules/@x/b': {},
      'node_modules/c': { dev: true },
    }
    expect(installedPackages({ packages })).deep.equal(['a', '@x/b'])
  })
})
