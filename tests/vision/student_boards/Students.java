import java.awt.*;
import java.awt.image.BufferedImage;
import java.io.File;
import java.util.*;
import java.util.List;
import javax.imageio.ImageIO;
import javax.swing.*;

/** Three students' windows: DESIGN is the argument; a line of input is FILE;SCALE;DIE;TURN;LAST;MOVES;CELLS. */
public class Students {
    static String[] cells;
    static List<String> last;
    static double scale;

    static Graphics2D smooth(Graphics pen) {
        Graphics2D smooth = (Graphics2D) pen;
        smooth.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        smooth.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        return smooth;
    }

    static void write(Graphics pen, String text, int x, int y) {
        FontMetrics size = pen.getFontMetrics();
        pen.drawString(text, x - size.stringWidth(text) / 2, y + (size.getAscent() - size.getDescent()) / 2);
    }

    static class Tiles extends JPanel {
        public Dimension getPreferredSize() { return new Dimension((int) (500 * scale), (int) (500 * scale)); }

        protected void paintComponent(Graphics plain) {
            super.paintComponent(plain);
            Graphics2D pen = smooth(plain);
            int side = getHeight() / 5, left = (getWidth() - 5 * side) / 2;
            pen.setFont(new Font("SansSerif", Font.BOLD | Font.ITALIC, side / 2));
            for (int place = 0; place < 25; place++) {
                int x = left + place % 5 * side, y = place / 5 * side, edge = side / 8;
                pen.setColor(place % 2 == 0 ? new Color(240, 217, 181) : new Color(181, 136, 99));
                pen.fillRect(x, y, side, side);
                if (cells[place].equals(".")) continue;
                boolean red = cells[place].startsWith("R");
                pen.setColor(red ? new Color(204, 0, 0) : new Color(0, 51, 204));
                for (int k = edge; k < edge + 4; k++) pen.fill3DRect(x + k, y + k, side - 2 * k, side - 2 * k, true);
                pen.setColor(new Color(255, 240, 150));
                write(pen, cells[place].substring(1), x + side / 2, y + side / 2);
            }
        }
    }

    static class Lines extends JPanel {
        public Dimension getPreferredSize() { return new Dimension((int) (660 * scale), (int) (660 * scale)); }

        protected void paintComponent(Graphics plain) {
            Graphics2D pen = smooth(plain);
            int step = (int) (32 * scale), size = (int) (step * 0.44);
            pen.setColor(new Color(250, 250, 245));
            pen.fillRect(0, 0, getWidth(), getHeight());
            pen.setFont(new Font("Monospaced", Font.PLAIN, (int) (12 * scale) + 1));
            for (int k = 1; k < 20; k++) {
                pen.setColor(new Color(120, 150, 120));
                pen.drawLine(step, k * step + step / 2, 19 * step, k * step + step / 2);
                pen.drawLine(k * step, step + step / 2, k * step, 19 * step + step / 2);
                pen.setColor(Color.DARK_GRAY);
                write(pen, "" + k, k * step, step / 2);
                write(pen, "" + k, 19 * step + step * 7 / 8, k * step + step / 2);
            }
            for (int place = 0; place < 361; place++) {
                if (cells[place].equals(".")) continue;
                int x = (place % 19 + 1) * step, y = (place / 19 + 1) * step + step / 2;
                pen.setColor(cells[place].equals("X") ? new Color(40, 40, 40) : Color.WHITE);
                pen.fillOval(x - size, y - size, 2 * size, 2 * size);
                pen.setColor(Color.BLACK);
                pen.drawOval(x - size, y - size, 2 * size, 2 * size);
                if (last.contains("" + place)) {
                    pen.setColor(Color.RED);
                    pen.drawRect(x - size / 2, y - size / 2, size, size);
                }
            }
        }
    }

    static class Chip implements Icon {
        final String text;

        Chip(String text) { this.text = text; }

        public int getIconWidth() { return (int) (78 * scale); }

        public int getIconHeight() { return getIconWidth(); }

        public void paintIcon(Component owner, Graphics plain, int x, int y) {
            Graphics2D pen = smooth(plain);
            int size = getIconWidth(), cut = size * 3 / 10, far = size - 1, core = size * 58 / 100;
            int[] across = {cut, far - cut, far, far, far - cut, cut, 0, 0};
            int[] down = {0, 0, cut, far - cut, far, far, far - cut, cut};
            Polygon shape = new Polygon(across, down, 8);
            shape.translate(x, y);
            pen.setColor(text.startsWith("R") ? new Color(214, 72, 30) : new Color(44, 108, 160));
            pen.fillPolygon(shape);
            pen.setColor(Color.BLACK);
            pen.drawPolygon(shape);
            pen.setColor(new Color(255, 252, 235));
            pen.fillOval(x + (size - core) / 2, y + (size - core) / 2, core, core);
            pen.setColor(Color.BLACK);
            pen.setFont(new Font("Serif", Font.BOLD, size * 46 / 100));
            write(pen, text.substring(1), x + size / 2, y + size / 2);
        }
    }

    static JPanel buttons() {
        JPanel grid = new JPanel(new GridLayout(5, 5));
        for (String text : cells) {
            JButton square = text.equals(".") ? new JButton() : new JButton(new Chip(text));
            square.setPreferredSize(new Dimension((int) (100 * scale), (int) (100 * scale)));
            square.setFocusPainted(false);
            grid.add(square);
        }
        return grid;
    }

    public static void main(String[] words) throws Exception {
        boolean tiles = words[0].equals("swing-tiles"), lines = words[0].equals("swing-connect6");
        if (tiles) UIManager.setLookAndFeel("javax.swing.plaf.nimbus.NimbusLookAndFeel");
        for (Scanner input = new Scanner(System.in); input.hasNextLine(); ) {
            String[] fields = input.nextLine().split(";");
            cells = fields[6].split(" ");
            last = Arrays.asList(fields[4].split(" "));
            scale = Double.parseDouble(fields[1]);
            JFrame frame = new JFrame(tiles ? "EinStein" : lines ? "Connect6 v1.2" : "Würfelspiel");
            frame.add(tiles ? new Tiles() : lines ? new Lines() : buttons(), BorderLayout.CENTER);
            JPanel bar = new JPanel();
            String[] sides = lines ? new String[] {"Black", "White"} : new String[] {"Red", "Blue"};
            String what = lines ? " to play" : ": rolled " + fields[2];
            bar.add(new JLabel(sides[Integer.parseInt(fields[3])] + what));
            for (String label : new String[] {"New", "Undo", lines ? "Hint" : "Roll"}) bar.add(new JButton(label));
            frame.add(bar, BorderLayout.SOUTH);
            JTextArea log = new JTextArea(fields[5].replace(" ", "\n"), 10, 9);
            if (tiles) frame.add(new JScrollPane(log), BorderLayout.EAST);
            frame.setLocation(40, 30);
            frame.pack();
            frame.setVisible(true);
            Thread.sleep(900);
            JRootPane all = frame.getRootPane(); // a busy machine may not have painted it by then
            SwingUtilities.invokeAndWait(() -> all.paintImmediately(0, 0, all.getWidth(), all.getHeight()));
            Toolkit.getDefaultToolkit().sync();
            Thread.sleep(300);
            BufferedImage shot = new Robot().createScreenCapture(frame.getBounds());
            ImageIO.write(shot, "png", new File(fields[0]));
            frame.dispose();
        }
        System.exit(0);
    }
}
