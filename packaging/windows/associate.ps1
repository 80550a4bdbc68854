# Makes Picklescope known to Windows, for one person and without administrator rights:
#   powershell -ExecutionPolicy Bypass -File associate.ps1 -Program C:\path\to\picklescope-window.exe
#   powershell -ExecutionPolicy Bypass -File associate.ps1 -Remove
# It adds the program to "Open with" of each suffix; the person's own default stays as it is.
param([string]$Program, [switch]$Remove)
$ErrorActionPreference = 'Stop'
$id = 'Picklescope.Checkpoint.1'
$classes = 'HKCU:\Software\Classes'
$suffixes = '.pt', '.pth', '.ckpt', '.th', '.pt2', '.distcp', '.pkl', '.pickle', '.npy', '.npz', '.safetensors'

if ($Remove) {
    Remove-Item -Path "$classes\$id" -Recurse -ErrorAction SilentlyContinue
    foreach ($suffix in $suffixes) {
        Remove-ItemProperty -Path "$classes\$suffix\OpenWithProgids" -Name $id -ErrorAction SilentlyContinue
    }
    Write-Output 'Windows no longer knows Picklescope.'
    exit 0
}
if (-not $Program -or -not (Test-Path -LiteralPath $Program -PathType Leaf)) {
    Write-Error 'Name the program: -Program C:\path\to\picklescope-window.exe'
}
$full = (Resolve-Path -LiteralPath $Program).Path
New-Item -Path "$classes\$id\shell\open\command" -Force | Out-Null
Set-ItemProperty -Path "$classes\$id" -Name '(default)' -Value 'Checkpoint'
Set-ItemProperty -Path "$classes\$id\shell\open\command" -Name '(default)' -Value "`"$full`" `"%1`""
New-Item -Path "$classes\$id\DefaultIcon" -Force | Out-Null
Set-ItemProperty -Path "$classes\$id\DefaultIcon" -Name '(default)' -Value "`"$full`",0"
foreach ($suffix in $suffixes) {
    New-Item -Path "$classes\$suffix\OpenWithProgids" -Force | Out-Null
    New-ItemProperty -Path "$classes\$suffix\OpenWithProgids" -Name $id -Value '' -PropertyType String -Force | Out-Null
}
Write-Output 'Picklescope stands in "Open with" of checkpoints now.'
